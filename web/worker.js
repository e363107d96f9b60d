// Starts one of the site's WebAssembly programs in a worker. Needs loader.js before it.
"use strict";

// startWorker starts NAME.wasm.gz in a worker of its own, and is that worker once it has sent its first message, which is
// then in its first. If the program ends later, the worker posts {stopped: why}. What goes wrong before is an error with a
// sentence in its reader; then it may be tried again.
//
// before is a function that is called there first, while the program may still be on its way, with what is given; of that
// something may be transferred. It is sent as text, and knows nothing of this page.
async function startWorker(name, before = () => {}, given = [], transfer = []) {
  const program = shared(name, () => compileProgram(name));
  const runtime = await shared("wasm_exec.js", () => fetchFile("wasm_exec.js").then(response => response.text()));
  // A worker must come from the page's own origin, which a page in a sandboxed frame doesn't have. Blobs are always of it.
  const script = URL.createObjectURL(new Blob([runtime, `\n(${workerMain})(${before});`], { type: "text/javascript" }));
  let worker;
  try {
    return await new Promise((ready, failed) => {
      const no = why => failed(forReader(`The program ${name} could not be started in a worker: ${why}.`));
      const refused = "the browser, or something in it that blocks scripts, does not let this page have one. Everything else works";
      try {
        worker = new Worker(script);
      } catch {
        return no(refused);
      }
      worker.onmessage = ({ data }) => {
        if (data.stopped) return no(data.stopped);
        worker.first = data;
        ready(worker);
      };
      worker.onerror = event => no(event.message || refused);
      worker.postMessage(given, transfer);
      program.then(program => worker.postMessage(program), failed);
    });
  } catch (error) {
    worker?.terminate();
    throw error;
  } finally {
    URL.revokeObjectURL(script);
  }
}

// parts are promises, by name, of what workers are made of: starting one anew costs no download.
const parts = new Map();

// shared is the promise of that name, made if there is none yet. One that isn't kept is made again the next time.
function shared(name, make) {
  if (!parts.has(name)) {
    const part = make();
    part.catch(() => parts.delete(name));
    parts.set(name, part);
  }
  return parts.get(name);
}

// workerMain is what the worker does, after wasm_exec.js. It is sent there as text, and knows nothing of this page.
function workerMain(before) {
  onmessage = ({ data: given }) => {
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
    before(...given);
  };
}
