// Before anything is painted: whether there is a script at all, and the theme. In an embed also which controls there are.
"use strict";
document.documentElement.classList.add("scripted");

// fragmentAsked is the address's fragment, which may have been encoded on its way, more than once.
function fragmentAsked() {
  let fragment = location.hash;
  try {
    for (let i = 0; i < 3; i++) fragment = decodeURIComponent(fragment);
  } catch {}
  return fragment;
}

// askedOf is a parameter of it, like view in #v1/two-service?view=storm; "" if it isn't there.
const askedOf = parameter => new RegExp(`[?&]${parameter}=([\\w,]*)`).exec(fragmentAsked())?.[1] ?? "";

// dressEmbed gives an embed the theme and the controls that its address asks for.
function dressEmbed() {
  const root = document.documentElement;
  const theme = askedOf("theme");
  if (theme === "dark" || theme === "light") root.dataset.theme = theme;
  else delete root.dataset.theme;
  const all = ["play", "scrub", "policy", "faults"];
  const asked = askedOf("controls").split(",").filter(one => one === "none" || all.includes(one)); // the page says which there are not
  const controls = asked.length > 0 ? asked : ["play", "scrub"];
  for (const one of all) root.classList.toggle(`with-${one}`, controls.includes(one));
  root.classList.toggle("waits", askedOf("autoplay") === "0");
  root.classList.toggle("comparing", askedOf("view") === "compare");
}

if (document.documentElement.classList.contains("embed")) {
  dressEmbed();
} else {
  try {
    const theme = localStorage.getItem("stormbin-theme");
    if (theme) document.documentElement.dataset.theme = theme;
  } catch {}
}
