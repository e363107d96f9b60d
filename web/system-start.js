// Starts the program of system.html. Needs loader.js before it.
"use strict";
requestAnimationFrame(() => requestAnimationFrame(() => startProgram("system", text => { // the words are painted first
  const status = document.getElementById("status");
  status.textContent = text;
  status.classList.add("trouble");
})));
