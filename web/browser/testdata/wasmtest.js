// Runs ../built/NAME, a Go test binary, and keeps what it writes.
"use strict";
const here = document.currentScript.src;
let output = "";
const decoder = new TextDecoder();
fs.writeSync = (file, bytes) => {
  output += decoder.decode(bytes, { stream: true });
  return bytes.length;
};

async function runTests(name, args) {
  const go = new Go();
  let code = 0;
  go.argv = [name, ...args];
  go.exit = c => { code = c; };
  const bytes = await (await fetch(new URL("../built/" + name, here))).arrayBuffer();
  const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
  await go.run(instance);
  // What a test had still waited for may come when the program has ended: a timer, or an answer of the database.
  for (const timer of go._scheduledTimeouts.values()) clearTimeout(timer);
  go._scheduledTimeouts.clear();
  go._resume = () => {};
  return { code, output };
}
