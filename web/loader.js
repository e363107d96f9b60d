// Starts one of the site's WebAssembly programs. Needs wasm_exec.js before it.
"use strict";

// ADDRESSES are those of the site's files by their names, where they differ: the build puts them in place of this line.
const ADDRESSES = {};

// startProgram fetches NAME.wasm.gz beside the page, and runs it. If that can't be done, or the program ends, which it
// never should, failed is called once with a sentence for the reader.
function startProgram(name, failed) {
  const running = runProgram(name);
  running.finally(arrive).catch(() => {});
  running.then(
    code => failed(`The program ${name} stopped (code ${code}). Reload the page to start it again.`),
    error => { console.error(error); failed(error.reader ?? `The program ${name} could not be started: ${error.message}. Reload to try again.`); });
}

// arrived is kept once the page's program has come, or can't: what else is fetched for later can wait for it.
let arrive;
const arrived = new Promise(done => { arrive = done; });

// idle is once the page has nothing else to do, or after five seconds. A browser that doesn't tell is given one.
function idle() {
  return new Promise(go => self.requestIdleCallback ? requestIdleCallback(go, { timeout: 5000 }) : setTimeout(go, 1000));
}

// painted is once the page has been seen, so that the words don't wait for a program. Not every browser tells of it each
// time: a second after it should have been is late enough.
function painted() {
  return new Promise(seen => {
    new PerformanceObserver((_, watch) => { watch.disconnect(); seen(); }).observe({ type: "paint", buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(seen, 1000)));
  });
}

async function runProgram(name) {
  await painted();
  const program = await compileProgram(name);
  const go = new Go();
  let code = 0;
  go.exit = c => { code = c; };
  const instance = await WebAssembly.instantiate(program, go.importObject);
  arrive();
  await turn();
  await go.run(instance);
  return code;
}

// compileProgram is NAME.wasm.gz beside the page, compiled, or an error with a sentence in its reader.
async function compileProgram(name) {
  if (typeof WebAssembly !== "object") {
    throw forReader("This browser has no WebAssembly, or it is switched off. Everything that moves here needs it.");
  }
  if (typeof DecompressionStream !== "function") {
    throw forReader("This browser is too old to unpack the program (it has no DecompressionStream). One from 2023 or later can.");
  }
  const file = `${name}.wasm.gz`;
  return await compileElsewhere(file) ?? compile(await fetchFile(file), file);
}

// compileElsewhere is the file's program, compiled in a worker: the page can be drawn and used meanwhile. It is null where
// that can't be, for whatever reason; then it is tried here, which tells the reason.
async function compileElsewhere(file) {
  const script = URL.createObjectURL(new Blob([[forReader, turn, inflate, compile, compileMain].join("\n"), "\ncompileMain();"], { type: "text/javascript" }));
  let worker;
  try {
    worker = new Worker(script); // a blob's, since in a sandboxed frame no other may be had
    worker.postMessage({ file, address: new URL(addressOf(file), location.href).href });
    return await new Promise(done => {
      worker.onmessage = ({ data }) => done(data);
      worker.onerror = worker.onmessageerror = event => {
        event.preventDefault();
        done(null);
      };
    });
  } catch {
    return null;
  } finally {
    worker?.terminate();
    URL.revokeObjectURL(script);
  }
}

// compileMain is what that worker does. It is sent there as text, with the functions it needs, and knows nothing of this page.
function compileMain() {
  onmessage = async ({ data: { file, address } }) => {
    try {
      const response = await fetch(address);
      postMessage(response.ok ? await compile(response, file) : null);
    } catch {
      postMessage(null);
    }
  };
}

// compile is the program in a response to a file. Inflating here makes it the same on every host. All of it is there before
// it is compiled: one that is left while its program still comes would, in Firefox, keep the next page's from being compiled.
async function compile(response, file) {
  return WebAssembly.compile(await new Response(await inflate(response.body, file)).arrayBuffer());
}

// turn lets the browser do what waits: draw, and hear the reader.
function turn() {
  return new Promise(go => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { port1.close(); go(); };
    port2.postMessage(null);
  });
}

function addressOf(file) {
  return ADDRESSES[file] ?? file;
}

// fetchFile is the response to a file beside the page, or such an error.
async function fetchFile(file) {
  let response;
  try {
    response = await fetch(addressOf(file));
  } catch {
    if (location.protocol === "file:") {
      throw forReader(`The program ${file} could not be read: a browser lets a page that was opened as a file read no others. ` +
        "Put the folder on a web server, or open the page that is one file (make single).");
    }
    if (self.origin === "null") {
      throw forReader(`The program ${file} may not be read in this sandboxed frame. Either the frame allows allow-same-origin, ` +
        "or the host sends the header Access-Control-Allow-Origin: *.");
    }
    throw forReader(`The program ${file} did not arrive: there is no connection, or something in the browser has stopped it. Reload to try again.`);
  }
  if (!response.ok) {
    throw forReader(`The program ${file} did not arrive: the server answered ${response.status} ${response.statusText}. ` +
      "Reload to try again; if it stays so, not all of the site is on the server.");
  }
  return response;
}

// inflate undoes gzip, unless it has been undone already: some hosts label a .gz as Content-Encoding: gzip, and the
// browser then inflates it on the way.
async function inflate(stream, file) {
  const reader = stream.getReader();
  const first = await reader.read();
  const gzipped = first.value?.[0] === 0x1f;
  if (!gzipped && first.value?.[0] !== 0) { // as WebAssembly begins
    reader.cancel();
    throw forReader(`What arrived as the program ${file} is something else: some servers send a page where a file is missing. ` +
      "Reload to try again; if it stays so, not all of the site is on the server.");
  }
  const piece = 32 << 10; // bytes
  let rest = first.value;
  const whole = new ReadableStream({
    // A piece at a time, since it may have come at once: what is in each is unpacked without a pause.
    async pull(to) {
      await turn();
      if (!rest.length) {
        const { done, value } = await reader.read();
        if (done) return to.close();
        rest = value;
      }
      to.enqueue(rest.subarray(0, piece));
      rest = rest.subarray(piece);
    },
    cancel(why) { return reader.cancel(why); },
  });
  return gzipped ? whole.pipeThrough(new DecompressionStream("gzip")) : whole;
}

function forReader(sentence) {
  return Object.assign(new Error(sentence), { reader: sentence });
}
