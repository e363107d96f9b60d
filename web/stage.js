// The stage as the page that holds it sees it. Its program draws, and decides nothing.
// The page that holds this frame posts {kind: "port"} with a MessagePort. Over it come pictures (ArrayBuffers, each
// sent back once it is read, to be filled again) and {kind: "stats"}; back go {kind: ...}:
//   ready          it draws
//   drawn          how many pictures were drawn since this was last asked, and the milliseconds that took
//   lost           the GPU or the display is another one: load this frame again
//   nogl           there is no WebGL 2
//   failed, text   anything else, in words
// The program, in Go, adds draw(Uint8Array) and stats() to this object.
"use strict";
var stage = {  // not const: the program looks for it on the window
  port: null,
  unsent: [],
  draw: null,
  stats: null,
  tell(message) {
    if (this.port) this.port.postMessage(message);
    else this.unsent.push(message);
  },
};

addEventListener("message", event => {
  if (event.source !== parent || event.data?.kind !== "port") return;
  stage.port = event.ports[0];
  stage.port.onmessage = ({ data }) => {
    if (data instanceof ArrayBuffer) {
      stage.draw?.(new Uint8Array(data));
      stage.port.postMessage(data, [data]);
    } else if (data?.kind === "stats") {
      stage.tell(stage.stats?.() ?? { kind: "drawn", n: 0, ms: 0 });
    }
  };
  stage.unsent.splice(0).forEach(message => stage.tell(message));
});

// The engine listens for keys, wheel and touch on its canvas and swallows them. The page's style keeps them away from
// this frame; should one come all the same, it gets no further than here, and the browser does what it always does.
for (const kind of ["keydown", "keyup", "mousedown", "mouseup", "mousemove", "wheel", "touchstart", "touchmove",
  "touchend", "contextmenu", "dragover", "drop"]) {
  addEventListener(kind, event => event.stopImmediatePropagation(), { capture: true, passive: true });
}

// Without this the engine would reload this frame, and the page would not know.
addEventListener("webglcontextlost", event => {
  event.stopImmediatePropagation();
  stage.tell({ kind: "lost" });
}, true);

// The engine reads the pixel ratio once.
matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener("change", () => stage.tell({ kind: "lost" }));

// The engine makes its canvas focusable. The stage is a picture of what the page says in words: nothing to focus.
new MutationObserver(() => {
  const canvas = document.querySelector("canvas");
  if (!canvas) return;
  if (canvas.tabIndex !== -1) canvas.tabIndex = -1;
  if (canvas.ariaHidden !== "true") canvas.setAttribute("aria-hidden", "true");
  if (canvas.style.touchAction !== "pan-x pan-y pinch-zoom") canvas.style.touchAction = "pan-x pan-y pinch-zoom";
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["tabindex", "aria-hidden", "style"] });
