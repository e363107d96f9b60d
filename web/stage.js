// The stage: a canvas of the page that a program of its own draws on, in a worker, so that neither waits for the other. The
// engine which that program is made with wants a document with a canvas in it; in the worker it finds what is written here.
// Needs worker.js before it.
//
// The page posts pictures (ArrayBuffers, each sent back once it is read, to be filled again), {width, height, scale} when
// the size has changed, in device pixels and how many of them are in one of CSS's, and {kind: "stats"}. Back go {kind: ...}:
//   ready          it draws
//   shows          the first picture is to be seen
//   drawn          how many pictures were drawn since this was last asked, and the milliseconds that took
//   lost           the GPU is another one: start it again, on another canvas
//   nogl           there is no WebGL 2
//   failed, text   anything else, in words
"use strict";

// startStage starts the program on a canvas, scale of whose pixels are in one of CSS's. It is a promise of the worker, see
// startWorker.
async function startStage(canvas, scale) {
  const off = canvas.transferControlToOffscreen();
  await idle(); // the picture moves already, and starting two programs at once holds up both
  return startWorker("stage", stageWorker, [off, scale], [off]);
}

// stageWorker is what the engine finds in the worker. It is sent there as text, and knows nothing of this page.
function stageWorker(canvas, scale) {
  canvas.addEventListener("webglcontextlost", () => postMessage({ kind: "lost" }));
  // It is made here, with what the engine asks for, so that it can be said that there is none while the program is on its way.
  // The engine is given this one: Firefox lets nobody ask its canvas twice.
  const context = canvas.getContext("webgl2", { alpha: true, premultipliedAlpha: true, stencil: true });
  if (!context) {
    postMessage({ kind: "nogl" });
    return;
  }
  const nothing = () => {};
  const element = () => ({ style: {}, appendChild: nothing, setAttribute: nothing, addEventListener: nothing });
  self.window = self;
  // A pixel of the engine's is one of the device's.
  self.devicePixelRatio = 1;
  self.Document = class { get hidden() { return false; } };
  self.document = Object.assign(new Document(), element(), {
    head: element(),
    body: Object.assign(element(), { clientWidth: canvas.width, clientHeight: canvas.height }),
    documentElement: element(),
    hasFocus: () => true,
    createElement: kind => kind === "canvas" ? Object.assign(canvas, element(), { getContext: () => context }) : element(),
  });
  navigator.getGamepads ??= () => [];
  let fence;
  self.stage = {
    scale,
    // done is whether the GPU has done all that it had been given when this was first asked.
    done() {
      fence ??= context.fenceSync(context.SYNC_GPU_COMMANDS_COMPLETE, 0);
      context.flush();
      return context.getSyncParameter(fence, context.SYNC_STATUS) !== context.UNSIGNALED;
    },
    resize(width, height) {
      Object.assign(document.body, { clientWidth: width, clientHeight: height });
      dispatchEvent(new Event("resize"));
    },
  };
}
