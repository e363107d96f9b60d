// An embed, around its program: when that is started, how high it all is, and where the whole page is. Needs early.js
// before it.
"use strict";

// showStill has the picture of the run itself wait for its start, where the site has one: that of a scenario in which the
// address changes nothing.
function showStill() {
  const [, id, rest] = /^#v1\/([\w-]+)(?:\?(.*))?$/.exec(fragmentAsked()) ?? [];
  const still = document.querySelector(".still");
  if (!still.dataset.stills.split(" ").includes(id) || (rest ?? "").split("&").some(part => !/^(|(t|view|against|controls|theme|lang|autoplay)=.*)$/.test(part))) return;
  const picture = new Image();
  picture.alt = "A bar for each second of this run: requests in time, those that failed, and retries";
  picture.onload = () => still.querySelector("svg").replaceWith(picture);
  picture.src = `stills/${id}.svg`;
}

// runEmbed calls start once the figure is in sight, or its Play button is pressed: at once, or never if nobody looks.
function runEmbed(start) {
  const root = document.documentElement;
  const find = id => document.getElementById(id);
  const play = find("start");

  let started = false;
  const once = () => {
    if (started) return;
    started = true;
    seen.disconnect();
    play.textContent = "Loading …";
    find("status").textContent = "Starting…";
    start();
  };
  const seen = new IntersectionObserver(entries => { if (entries.some(e => e.isIntersecting)) once(); });
  if (frameElement?.matches("#embed-preview > *")) once(); // the page needs its height before anybody scrolls to it
  else if (!root.classList.contains("waits")) seen.observe(find("figure"));
  play.onclick = () => {
    root.classList.add("asked"); // so the program plays, whatever the system says of motion
    once();
  };
  find("status").textContent = "";
  showStill();

  const whole = find("whole");
  const lead = () => { whole.href = `index.html${location.hash}`; };
  lead();
  addEventListener("hashchange", () => { dressEmbed(); lead(); });

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
