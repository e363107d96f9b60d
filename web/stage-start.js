// Starts the stage, if this browser can draw it. Needs stage.js and loader.js before it.
"use strict";
if (document.createElement("canvas").getContext("webgl2")) {
  startProgram("stage", text => stage.tell({ kind: "failed", text }));
} else {
  stage.tell({ kind: "nogl" });
}
