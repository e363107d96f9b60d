// Starts the page's program. Needs loader.js and embed.js before it.
"use strict";
{
  const start = () => startProgram("playground", text => {
    const status = document.getElementById("status");
    status.textContent = text;
    status.classList.add("trouble");
    document.documentElement.classList.add("failed-to-start");
  });
  // showLook gives the picture that a link asks for its place before the program is there: what is below would jump.
  const showLook = () => {
    const asked = document.getElementById(`look-${askedOf("view").replace(/^chart$/, "charts")}`);
    if (!asked) return;
    for (const tab of document.querySelectorAll("#looks [role=tab]")) tab.ariaSelected = String(tab === asked);
    const { look } = asked.dataset;
    document.getElementById("stage").hidden = look === "storm" || look === "charts";
    for (const id of ["storm", "charts"]) document.getElementById(id).hidden = look !== id;
  };

  if (document.documentElement.classList.contains("embed")) {
    runEmbed(start);
  } else {
    showLook();
    start();
  }
}
