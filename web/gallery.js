// The gallery's search: what is shown has every word that was typed. The address has them too, as #q=retry, so that it can
// be sent; ?q=retry is read as well.
"use strict";
{
  const field = document.getElementById("search");
  const found = document.getElementById("found");
  const families = [...document.querySelectorAll("main > section")];
  const cards = families.flatMap(family => [...family.querySelectorAll("li")].map(card => ({
    card, text: [family.querySelector("h2"), ...card.querySelectorAll("h3, .question, .answer")].map(e => e.textContent).join(" ").toLowerCase(),
  })));

  const asked = () => new URLSearchParams(location.hash.slice(1)).get("q") ?? new URLSearchParams(location.search).get("q") ?? "";

  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { card, text } of cards) {
      card.hidden = !words.every(word => text.includes(word));
      if (!card.hidden) shown++;
    }
    for (const family of families) family.hidden = !family.querySelector("li:not([hidden])");
    found.textContent = shown === cards.length ? `${shown} scenarios` : shown ? `${shown} of ${cards.length} scenarios` : "None has all of these words.";
  };

  field.addEventListener("input", () => {
    const query = field.value.trim();
    history.replaceState(null, "", location.pathname + (query ? `#${new URLSearchParams({ q: query })}` : ""));
    show();
  });
  addEventListener("hashchange", () => {
    field.value = asked();
    show();
  });
  field.value = asked();
  show();
}
