// Keeps the site for when there is no network, and tells when a newer one is there. Where the browser has no service
// worker, in a sandboxed frame or a file, nothing is missing but that.
"use strict";

// START is how long a page has to itself first, in milliseconds.
const START = 3000;

(async () => {
  // An embed leaves nothing behind, and the page as one file is already kept.
  if (document.documentElement.matches(".embed, [data-single]")) return;
  let workers;
  try {
    workers = navigator.serviceWorker;
  } catch {} // a sandboxed frame may not even ask
  if (!workers) return;
  if (typeof arrived === "object") await arrived; // on pages that have a program
  await new Promise(go => setTimeout(go, START)); // fetching all of the site would hold up the page's own
  let reload = false;
  workers.addEventListener("controllerchange", () => { if (reload) location.reload(); });
  try {
    const kept = await workers.register("sw.js");
    const offer = worker => {
      const note = document.getElementById("new-version");
      note.hidden = false;
      document.getElementById("take-version").onclick = () => {
        reload = true;
        worker.postMessage("take over");
      };
    };
    const watch = worker => worker?.addEventListener("statechange", () => {
      if (worker.state === "installed" && workers.controller) offer(worker);
    });
    if (kept.waiting && workers.controller) offer(kept.waiting);
    watch(kept.installing);
    kept.addEventListener("updatefound", () => watch(kept.installing));
  } catch (error) {
    console.info("The site is not kept for when there is no network:", error.message);
  }
})();
