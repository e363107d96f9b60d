// Starts one of the site's WebAssembly programs in a worker. Needs loader.js before it.
"use strict";

// startWorker starts NAME.wasm.gz in a worker of its own, and is that worker once the program has sent its first message.
// If the program ends later, the worker posts {stopped: why}. What goes wrong before is an error with a sentence in its
// reader; then it may be tried again.
async function startWorker(name) {
  if (!workerParts.has(name)) workerParts.set(name, loadWorkerParts(name));
  const parts = await workerParts.get(name).catch(error => {
    workerParts.delete(name);
    throw error;
  });
  // A worker must come from the page's own origin, which a page in a sandboxed frame doesn't have. Blobs are always of it.
  const script = URL.createObjectURL(new Blob([parts.runtime, `\n(${workerMain})();`], { type: "text/javascript" }));
  try {
    return await new Promise((ready, failed) => {
      let worker;
      const no = why => {
        worker?.terminate();
        failed(forReader(`The program ${name} could not be started in a worker: ${why}.`));
      };
      const refused = "the browser, or something in it that blocks scripts, does not let this page have one. Everything else works";
      try {
        worker = new Worker(script);
      } catch {
        return no(refused);
      }
      worker.onmessage = ({ data }) => data.stopped ? no(data.stopped) : ready(worker);
      worker.onerror = event => no(event.message || refused);
      worker.postMessage(parts.program);
    });
  } finally {
    URL.revokeObjectURL(script);
  }
}

// workerParts are, by name, what workers are made of: starting one anew costs no download.
const workerParts = new Map();

async function loadWorkerParts(name) {
  const [program, runtime] = await Promise.all([
    fetchProgram(name).then(wasm => WebAssembly.compileStreaming(wasm)),
    fetchFile("wasm_exec.js").then(response => response.text()),
  ]);
  return { program, runtime };
}

// workerMain is what the worker does, after wasm_exec.js. It is sent there as text, and knows nothing of this page.
function workerMain() {
  onmessage = async ({ data: program }) => {
    const go = new Go();
    let code = 0;
    go.exit = c => { code = c; };
    try {
      await go.run(await WebAssembly.instantiate(program, go.importObject));
      postMessage({ stopped: `it ended with code ${code}` });
    } catch (error) {
      postMessage({ stopped: error.message });
    }
  };
}
