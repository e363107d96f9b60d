// Before anything is painted: whether there is a script at all, and the reader's theme.
"use strict";
document.documentElement.classList.add("scripted");
try {
  const theme = localStorage.getItem("stormbin-theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {}
