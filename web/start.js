// Starts the page's program. Needs loader.js and embed.js before it.
"use strict";
{
  const start = () => startProgram("playground", text => {
    const status = document.getElementById("status");
    status.textContent = text;
    status.classList.add("trouble");
    document.documentElement.classList.add("failed-to-start");
  });
  if (document.documentElement.classList.contains("embed")) runEmbed(start);
  else start();
}
