// An embed, around its program: when that is started, how high it all is, and where the whole page is. Needs early.js
// before it.
"use strict";

// showStill has a picture wait for the start: that of the run itself, where the site has one, which it has of a scenario in
// which the address changes nothing; else one of no run at all. It settles when the picture is on the screen or is not to be had,
// and after two seconds anyway.
function showStill() {
  const [, id, rest] = /^#v1\/([\w-]+)(?:\?(.*))?$/.exec(fragmentAsked() || "#v1/two-service") ?? [];
  const still = document.querySelector(".still");
  const its = still.dataset.stills.split(" ").includes(id) && (rest ?? "").split("&").every(part => /^(|(t|view|against|controls|theme|lang|autoplay)=.*)$/.test(part));
  const picture = new Image();
  const settled = new Promise(settle => {
    if (PerformanceObserver.supportedEntryTypes.includes("element")) {
      picture.elementTiming = "still";
      new PerformanceObserver(settle).observe({ type: "element", buffered: true });
    } else {
      picture.onload = () => requestAnimationFrame(settle);
    }
    picture.onerror = settle;
    setTimeout(settle, 2000);
  });
  picture.alt = its ? "A bar for each second of this run: requests in time, those that failed, and retries" : "";
  picture.src = its ? `stills/${id}.svg` : "still.svg";
  still.querySelector("img")?.remove();
  still.prepend(picture);
  return settled;
}

// runEmbed calls start once the figure is in sight, or its Play button is pressed: at once, or never if nobody looks.
function runEmbed(start) {
  const root = document.documentElement;
  const find = id => document.getElementById(id);
  const play = find("start");
  find("still-name").textContent = frameElement?.title ?? ""; // which a page of the same site lets us see: figures look alike

  let still = showStill(); // it comes first, and then the program, a thousand times as large
  let started = false;
  const once = async () => {
    if (started) return;
    started = true;
    seen.disconnect();
    play.textContent = "Loading …";
    find("status").textContent = "Starting…";
    await still;
    start();
  };
  const seen = new IntersectionObserver(entries => { if (entries.some(e => e.isIntersecting)) once(); });
  if (frameElement?.matches("#embed-preview > *")) { // the page needs its height before anybody scrolls to it
    still = null;
    once();
    addEventListener("focusin", ({ target }) => { // a narrow page shows a part of it, and the browser doesn't scroll to the rest
      const around = frameElement.parentElement;
      const { left, right } = target.getBoundingClientRect();
      around.scrollLeft = Math.min(left - 8, Math.max(around.scrollLeft, right + 8 - around.clientWidth));
    });
  } else if (!root.classList.contains("waits")) seen.observe(find("figure"));
  play.onclick = () => {
    root.classList.add("asked"); // so the program plays, whatever the system says of motion
    once();
  };
  find("status").textContent = "";

  const whole = find("whole");
  const lead = () => { whole.href = `index.html${location.hash}`; };
  lead();
  addEventListener("hashchange", () => {
    dressEmbed();
    lead();
    if (root.classList.contains("starting")) still = showStill();
  });

  if (parent === window) return;
  let told = 0;
  const tell = () => {
    const height = Math.ceil(root.getBoundingClientRect().height);
    if (height === told) return;
    told = height;
    parent.postMessage({ type: "stormbin:height", height }, "*");
    parent.postMessage({ subject: "lti.frameResize", height }, "*"); // learning platforms
    parent.postMessage({ context: "h5p", action: "resize", height, scrollHeight: height }, "*"); // H5P's resizer, old and new
  };
  new ResizeObserver(tell).observe(root);
  tell();
}
