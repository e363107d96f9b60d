// Starts the program of system.html. Needs loader.js before it.
"use strict";
try {
  // What was written here last, or what the address names, is about to come, and not the JSON that the page begins with.
  if (location.hash || (sessionStorage.getItem("stormbin-system") ?? localStorage.getItem("stormbin-system"))) document.getElementById("json").value = "";
} catch {}
startProgram("system", text => {
  const status = document.getElementById("status");
  status.textContent = text;
  status.classList.add("trouble");
});
