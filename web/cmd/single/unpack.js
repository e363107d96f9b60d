// Where the programs of this page find what they would fetch on a site: it is in this file, in elements of base64.
"use strict";
const unpacked = {};
for (const { dataset, textContent } of document.querySelectorAll("script[data-file]")) {
  unpacked[dataset.file] = `data:;base64,${textContent}`;
}
