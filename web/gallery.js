// The gallery's search: what is shown has every word that was typed; if nothing has, what is nearest to that. The address has
// them too, as #q=retry, so that it can be sent; ?q=retry is read as well.
"use strict";
{
  const field = document.getElementById("search");
  const found = document.getElementById("found");
  const all = document.getElementById("all");
  const families = [...document.querySelectorAll("main > section")];
  const cards = families.flatMap(family => [...family.querySelectorAll("li")].map(card => ({
    card, text: [family.querySelector("h2"), ...card.querySelectorAll("h3, .question, .answer")].map(e => e.textContent).join(" ").toLowerCase(),
  })));
  const known = new Set(cards.flatMap(({ text }) => text.split(/[^\p{L}\p{N}]+/u)));

  // What others call what is here.
  const alias = { thundering: "herd", dogpile: "stampede", circuit: "breaker", bulkhead: "pool", outage: "stall", blip: "stall", duplicate: "twice", overload: "storm" };

  const asked = () => new URLSearchParams(location.hash.slice(1)).get("q") ?? new URLSearchParams(location.search).get("q") ?? "";

  // distance is how many letters must be changed, added or left out to get from a to b.
  const distance = (a, b) => {
    let row = Array.from({ length: b.length + 1 }, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
      const next = [i];
      for (let j = 1; j <= b.length; j++) next[j] = Math.min(row[j - 1] + (a[i - 1] !== b[j - 1]), row[j] + 1, next[j - 1] + 1);
      row = next;
    }
    return row[b.length];
  };

  // nearest is the word here that is meant by one which is nowhere here; that itself if there is none like it.
  const nearest = word => {
    let best = alias[word], least = best ? 0 : 1 + (word.length > 5 ? 2 : word.length > 3 ? 1 : 0);
    for (const other of known) {
      if (Math.abs(other.length - word.length) < least && distance(word, other) < least) [best, least] = [other, distance(word, other)];
    }
    return best ?? word;
  };

  // stem is a word without its ending, so that retry finds retries.
  const stem = word => word.length > 4 ? word.replace(/(ies|y|ing|ed|es|e|s)$/, "") : word;

  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const here = word => cards.some(({ text }) => text.includes(word));
    const meant = words.map(word => here(word) ? word : nearest(word));
    const parts = meant.map((word, i) => word === words[i] ? word : stem(word));
    const has = ({ text }) => parts.filter(part => text.includes(part)).length;
    const most = Math.max(...cards.map(has));
    const shown = most > 0 || words.length === 0 ? cards.filter(c => has(c) === most) : [];
    for (const c of cards) c.card.hidden = !shown.includes(c);
    for (const family of families) family.hidden = !family.querySelector("li:not([hidden])");

    const quoted = list => [...new Set(list)].map(word => `“${word}”`).join(" ");
    const foreign = words.filter(word => !here(word));
    const of = `${shown.length} of ${cards.length}`;
    found.textContent = words.length === 0 ? `${cards.length} scenarios`
      : most === 0 ? `Nothing has ${quoted(words)}.`
      : most < words.length ? `None has all of these words; ${of} have the most of them.`
      : foreign.length > 0 ? `Nothing has ${quoted(foreign)}; ${of} have ${quoted(meant.filter((word, i) => word !== words[i]))}.`
      : `${of} scenarios`;
    all.hidden = shown.length > 0;
  };

  const typed = () => {
    show();
    const query = field.value.trim();
    try {
      history.replaceState(null, "", location.pathname + (query ? `#${new URLSearchParams({ q: query })}` : ""));
    } catch {} // Safari takes a hundred of these in half a minute, and sandboxed frames may take none
  };
  field.addEventListener("input", typed);
  all.addEventListener("click", () => {
    field.value = "";
    field.focus();
    typed();
  });
  addEventListener("hashchange", () => {
    field.value = asked();
    show();
  });
  field.value = asked();
  show();
}
