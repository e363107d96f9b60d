// Starts the page's program. Needs loader.js before it.
"use strict";
startProgram("playground", text => {
  const status = document.getElementById("status");
  status.textContent = text;
  status.classList.add("trouble");
});
