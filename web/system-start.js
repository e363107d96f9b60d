// Starts the program of system.html. Needs loader.js before it.
"use strict";
startProgram("system", text => {
  const status = document.getElementById("status");
  status.textContent = text;
  status.classList.add("trouble");
});
