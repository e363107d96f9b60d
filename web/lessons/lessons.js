// The lessons are whole without this. It adds the timer, opens what waits for the reader's own answer, answers it, runs
// their rule, and keeps what they write in this browser.
"use strict";

const html = document.documentElement;
html.classList.add("gated"); // before anything is painted; without it all is open

addEventListener("DOMContentLoaded", () => {
  try {
    for (const tool of document.querySelectorAll("[data-tool]:not(figure)")) tool.hidden = false;
    dressFrames();
    keepFields();
    startTimer();
    openBets();
    openReading();
    answerPolicy();
    writeLog();
    copyButtons();
  } catch (e) {
    html.classList.remove("gated"); // nothing stays shut because something here is wrong
    throw e;
  }
});

// Every frame says how tall it is.
addEventListener("message", e => {
  const height = e.data?.type === "stormbin:height" && Number(e.data.height);
  if (!(height > 0 && height < 4000)) return;
  for (const frame of document.querySelectorAll(".run iframe"))
    if (frame.contentWindow === e.source) frame.style.height = height + "px";
});

// The frames have the theme that the reader chose on the page.
const themed = src => src + (html.dataset.theme ? "&theme=" + html.dataset.theme : "");

function dressFrames() {
  if (!html.dataset.theme) return;
  for (const frame of document.querySelectorAll(".run iframe")) frame.src = themed(frame.getAttribute("src"));
}

const opened = [];
addEventListener("beforeprint", () => {
  for (const d of document.querySelectorAll("details:not([open])")) { d.open = true; opened.push(d); }
});
addEventListener("afterprint", () => { for (const d of opened.splice(0)) d.open = false; });

// --- what is kept ---------------------------------------------------------------------------------------------------

const place = () => "stormbin-lesson-" + document.body.dataset.lesson;
let kept = null;

function keeping() {
  if (!kept) {
    try { kept = JSON.parse(localStorage.getItem(place())); } catch {}
    if (typeof kept !== "object" || !kept) kept = {};
  }
  return kept;
}

function keep(name, value) {
  keeping()[name] = value;
  try { localStorage.setItem(place(), JSON.stringify(kept)); } catch {} // then for as long as the page
}

function keepFields() {
  for (const field of document.querySelectorAll("input, select, textarea")) {
    const name = field.name || field.id;
    const value = keeping()["field " + name];
    if (typeof value === "string") {
      if (field.type === "radio") field.checked = field.value === value;
      else field.value = value;
      if (field.tagName === "SELECT" && field.selectedIndex < 0) field.selectedIndex = 0;
    }
    field.addEventListener("input", () => keep("field " + name, field.value));
  }
}

// --- the timer ------------------------------------------------------------------------------------------------------

function startTimer() {
  const run = byId("timer-run");
  if (!run) return;
  const parts = [...document.querySelectorAll(".parts li")].map(li => ({ name: li.dataset.name, ms: li.dataset.minutes * 60_000 }));
  const whole = parts.reduce((sum, p) => sum + p.ms, 0);
  let passed = Math.min(Number(keeping().timer) || 0, whole), since = 0, tick = 0;
  const now = () => Math.min(whole, passed + (tick ? Date.now() - since : 0));

  const show = () => {
    const at = now();
    let begins = 0, i = 0;
    while (i < parts.length - 1 && at >= begins + parts[i].ms) begins += parts[i++].ms;
    const left = Math.ceil((begins + parts[i].ms - at) / 1000);
    byId("timer-left").textContent = Math.floor(left / 60) + ":" + String(left % 60).padStart(2, "0");
    if (at >= whole) {
      stop();
      say("timer-part", "The time is up. Nothing closes.");
    } else {
      say("timer-part", "Part " + (i + 1) + " of " + parts.length + ": " + parts[i].name + (tick || at === 0 ? "" : " (paused)"));
    }
    run.hidden = at >= whole;
    run.textContent = tick ? "Pause" : at > 0 ? "Go on" : "Start the timer";
  };
  const stop = () => {
    passed = now();
    clearInterval(tick);
    tick = 0;
    keep("timer", passed);
  };
  run.addEventListener("click", () => {
    if (tick) stop();
    else { since = Date.now(); tick = setInterval(show, 250); }
    show();
  });
  byId("timer-reset").addEventListener("click", () => {
    stop();
    passed = 0;
    keep("timer", 0);
    show();
  });
  addEventListener("pagehide", () => { if (tick) keep("timer", now()); });
  show();
}

// --- bets -----------------------------------------------------------------------------------------------------------

function openBets() {
  for (const form of document.querySelectorAll(".bet")) {
    const after = form.nextElementSibling, skip = form.querySelector(".skip"), without = skip.textContent;
    let passing = false; // the arrow keys choose whatever they pass, which is no bet yet
    const show = () => {
      const bet = form.querySelector(":checked");
      after.classList.toggle("open", !!bet && !passing || after.classList.contains("open"));
      const open = after.classList.contains("open");
      for (const reply of after.querySelectorAll("[data-reply]")) reply.classList.toggle("chosen", reply.dataset.reply === bet?.value);
      skip.textContent = bet ? "That is my bet" : without;
      skip.parentElement.hidden = open;
    };
    form.addEventListener("keydown", e => {
      passing = e.key.startsWith("Arrow");
      if (e.target.checked && (e.key === " " || e.key === "Enter")) show();
    });
    form.addEventListener("pointerdown", () => { passing = false; });
    form.addEventListener("change", show);
    form.addEventListener("submit", e => e.preventDefault());
    skip.addEventListener("click", () => {
      after.classList.add("open");
      show();
      after.tabIndex = -1; // the button is gone, and the reader is where they were
      after.focus({ preventScroll: true });
    });
    show();
  }
  byId("forget")?.addEventListener("click", () => {
    for (const form of document.querySelectorAll(".bet")) {
      form.reset();
      form.nextElementSibling.classList.remove("open");
      keep("field " + form.dataset.bet, "");
      form.dispatchEvent(new Event("change"));
    }
  });
  openTarget();
  addEventListener("hashchange", openTarget);
}

// A link to something inside opens what it stands in.
function openTarget() {
  const target = byId(decodeURIComponent(location.hash.slice(1)));
  const gate = target?.closest("[data-gate]:not(.open):not(#reading)");
  if (!gate) return;
  gate.classList.add("open");
  target.scrollIntoView();
}

// --- the attempt, and what there is to say about it ------------------------------------------------------------------

function openReading() {
  const form = byId("answers-form");
  if (!form) return;
  const reading = byId("reading");
  const open = () => {
    reading.classList.add("open");
    keep("open", true);
    answer(form);
  };
  form.addEventListener("submit", e => {
    e.preventDefault();
    const empty = unanswered(form);
    for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    for (const field of empty) field.setAttribute("aria-invalid", "true");
    if (empty.length > 0) {
      say("attempt-says", "Write something in each field: " + empty.length + (empty.length === 1 ? " is" : " are") + " still empty. Wrong is allowed.");
      (empty[0].querySelector?.("input") ?? empty[0]).focus();
      return;
    }
    say("attempt-says", "");
    open();
    byId("answer").tabIndex = -1;
    byId("answer").focus();
  });
  byId("unanswered").addEventListener("click", () => {
    open();
    byId("answer").tabIndex = -1;
    byId("answer").focus();
  });
  form.addEventListener("change", () => { if (reading.classList.contains("open")) answer(form); });
  // Whoever follows a link to a place in the reading wants to read it.
  const linked = () => {
    const target = byId(decodeURIComponent(location.hash.slice(1)));
    if (!target || !reading.contains(target) || reading.classList.contains("open")) return;
    open();
    target.scrollIntoView();
  };
  addEventListener("hashchange", linked);
  if (keeping().open) open();
  linked();
}

function unanswered(form) {
  const empty = [...form.querySelectorAll("input:not([type=radio]), select")].filter(field => !field.value.trim());
  if (!form.querySelector("[name=twice]:checked")) empty.push(form.querySelector("[name=twice]").closest("fieldset"));
  return empty;
}

// A number that the prose has, which a test holds against the engine.
const said = id => Number(byId(id).textContent.replaceAll(",", ""));

const retriesTimeouts = on => on === "timeout" || on === "any";

function answer(form) {
  const of = name => form.elements[name].value.trim();
  const calls = ["lookup", "get", "put"].map(name => ({
    name, words: { lookup: "the metadata lookup", get: "the object GET", put: "the object PUT" }[name],
    timeout: duration(of(name + "-timeout")), typed: of(name + "-timeout"),
    on: of(name + "-on"), retries: of(name + "-on") === "never" ? 0 : Math.min(99, count(of(name + "-retries"))),
  }));
  const [lookup, get, put] = calls;
  const lines = [];

  // What comes first: creates, and timeouts.
  if (put.retries > 0 && put.on) {
    lines.push("You retry the object PUT. That is a create: " + (retriesTimeouts(put.on)
      ? "the first PUT may have landed, so that the retry leaves a second object. Take this retry out before you read on; see “Creates”."
      : "even if nothing was sent, the rule is to leave trying again to the user, who knows what a second paste is. See “Creates”."));
  }
  const again = calls.filter(c => c !== put && c.retries > 0 && retriesTimeouts(c.on));
  if (again.length > 0) {
    lines.push("You retry " + list(again.map(c => c.words)) + " after a timeout. The first attempt may still be running: you would put up to "
      + (1 + Math.max(...again.map(c => c.retries))) + " copies on a server that was too slow for one. This comes before any breaker.");
  }
  if (lines.length === 0 && calls.every(c => c.on)) {
    lines.push("You retry no timeout and no create. That is the heart of it; the rest is whether it adds up.");
  }

  for (const c of calls) {
    if (c.typed && c.timeout === null) lines.push("“" + c.typed + "” as the timeout of " + c.words + ": of what? A timeout has a unit, like 20 ms or 1 s.");
  }

  // The sums.
  const budget = said("n-read-budget"), createBudget = said("n-create-budget") * 1000, cache = said("n-cache"), insert = said("n-insert");
  if (lookup.timeout !== null && get.timeout !== null) {
    const slices = cache + lookup.timeout + get.timeout;
    lines.push("A read: " + ms(cache) + " for the cache, " + ms(lookup.timeout) + " and " + ms(get.timeout) + " make " + ms(slices) + " of " + ms(budget) + ". "
      + (slices > budget ? "That is " + ms(slices - budget) + " too much: the budget is blown before anything goes wrong."
        : slices === budget ? "Nothing is left for TLS, the balancer and the streaming."
        : ms(budget - slices) + " are left for TLS, the balancer and the streaming."));
    for (const c of [lookup, get]) {
      if (c.retries > 0) {
        const all = slices + c.retries * c.timeout;
        lines.push("With " + plural(c.retries, "more try", "more tries") + " of " + c.words + ", each waited for in full, it is " + ms(all) + ": "
          + (all > budget ? "that doesn’t fit, so it is a promise you can’t keep." : "that fits."));
      }
    }
  }
  if (put.timeout !== null) {
    const all = (1 + put.retries) * put.timeout + insert;
    lines.push("A create: " + plural(1 + put.retries, "PUT", "PUTs") + " of " + ms(put.timeout) + " and an insert of " + ms(insert) + " make " + ms(all) + " of " + ms(createBudget) + ". "
      + (all > createBudget ? "That is too much." : "That fits."));
  }

  // The multiplication.
  const extra = count(of("extra"), null), total = count(of("total"), null);
  const rightExtra = said("n-extra"), rightTotal = said("n-total");
  if (extra !== null || total !== null) {
    const right = extra === rightExtra && total === rightTotal;
    lines.push("The multiplication: " + number(said("n-sick")) + " a second time out, three more tries each are " + number(rightExtra) + " extra, " + number(rightTotal) + " in all. "
      + (right ? "You have it." : "You wrote " + [extra, total].map(x => x === null ? "nothing" : number(x)).join(" and ") + ".")
      + (!right && total !== null && Math.abs(total - said("n-luck")) < 100 ? " Yours is the sum for attempts that each have their own luck; the same sick ones fail again." : ""));
  }
  const most = again.length > 0 ? Math.max(...again.map(c => c.retries)) : 0;
  if (most > 0) lines.push("Your own retries: with a fifth slow, " + number(said("n-sick") * most) + " extra attempts a second, " + number(said("n-total") - rightExtra + said("n-sick") * most) + " in all; the primary’s ceiling is " + number(said("n-ceiling")) + ".");

  const twice = form.querySelector("[name=twice]:checked")?.value;
  if (twice) {
    lines.push({
      no: "You wrote that a retried create makes nothing twice. It can: the app doesn’t know whether the first one was done. See “Creates”.",
      paste: "A second paste, yes. And a second object, if it was the PUT whose outcome was unknown.",
      object: "A second object, yes. And a second paste, if it was the insert whose outcome was unknown.",
      both: "A second paste or a second object: so it is, by which answer was lost.",
    }[twice]);
  }
  const never = of("never");
  if (never) {
    const timeouts = /time.?out|slow/i.test(never), creates = /creat|put|post|insert|write/i.test(never);
    lines.push("You would never retry: “" + never + "”. " + (timeouts && creates ? "Both things that matter are in it."
      : timeouts ? "Creates belong there too." : creates ? "Timeouts belong there too." : "At the end, see whether timeouts and creates are in it."));
  }

  const items = byId("answers");
  items.replaceChildren(...lines.map(line => {
    const li = document.createElement("li");
    li.textContent = line;
    return li;
  }));

  const figure = byId("f-yours");
  figure.hidden = calls.every(c => c.timeout === null);
  if (!figure.hidden) runIn(figure, "yours-link", "pastebin", matrix(lookup, get, put), "Your matrix, with a primary that stands still for 2 s");
}

// matrix is the reader's rule as the settings of a link.
function matrix(lookup, get, put) {
  const settings = [];
  for (const [call, c] of [["primary_read", lookup], ["object_get", get], ["object_put", put]]) {
    const path = "policy.calls." + call;
    if (c.timeout !== null) settings.push([path + ".timeout", c.timeout + "ms"]);
    settings.push([path + ".attempts", 1 + c.retries]);
    const on = { refused: "refused", timeout: "timeout,refused", any: "timeout,error,refused" }[c.on];
    if (on) settings.push([path + ".retry_on", on]);
  }
  settings.push(["fault", "primary,stall,3s,2s"]);
  return settings;
}

// --- the dozen decisions --------------------------------------------------------------------------------------------

function answerPolicy() {
  const form = byId("policy-form");
  if (!form) return;
  const answered = form.querySelectorAll("[data-answer]");
  for (const cell of answered) { // who hears the page hears it with the control
    cell.id = "answer-" + cell.dataset.answer;
    form.elements[cell.dataset.answer].setAttribute("aria-describedby", cell.id);
  }
  const show = () => {
    const of = name => form.elements[name].value.trim();
    const timeout = duration(of("timeout")), attempts = few(of("attempts")), library = few(of("library"));
    const budget = Math.min(1000, Math.max(0, parseFloat(of("budget")) || 0)), deadline = duration(of("deadline"));
    const retries = attempts - 1, timeouts = of("on").includes("timeout"), times = attempts * library;
    const rate = said("n-rate"), well = said("n-well"), slow = said("n-slow");
    const retriedTimes = timeouts ? attempts : 1;
    const load = Math.min(rate * retriedTimes, budget > 0 ? rate * (1 + budget / 100) : Infinity) * library;
    const waits = of("backoff") === "none" || retries === 0 ? 0 : of("backoff") === "constant" ? 100 * retries : 100 * (2 ** Math.min(retries, 30) - 1);
    const worst = timeout === null ? null : times * timeout + waits;

    const answers = {
      timeout: timeout === null ? "A timeout needs a number and a unit, like 500 ms or 1 s." : timeout <= said("n-needs")
        ? "A well B needs " + ms(said("n-needs")) + ", so you give up on good answers." : ms(timeout) + ": a caller holds its slot for that long when B hangs, " + (times > 1 ? "each time." : "once."),
      attempts: attempts === 1 ? "One: no retries." : attempts + " attempts are " + plural(retries, "retry", "retries") + ": up to " + attempts + " times the load, when everything fails.",
      on: timeouts ? "Timeouts too: the first attempt may still be running, and the retry is a second copy." : of("on") === "refused"
        ? "Refusals only: nothing was sent, so nothing runs twice." : "B answered or refused; nothing of yours is still running there, unless the error came after the work.",
      backoff: retries === 0 ? "Nothing to wait for." : of("backoff") === "none" ? "At once: the next attempt arrives while the trouble is the same." : "The same load, later: up to " + ms(waits) + " of waiting in all, before chance shortens it.",
      jitter: retries === 0 ? "Nothing to spread." : of("backoff") === "none" ? "There is no wait, so there is nothing to make random." : of("jitter") === "none"
        ? "Those who failed together come back together." : "A crowd that failed in step comes back out of step.",
      budget: budget > 0 ? "Never more than " + (1 + budget / 100).toFixed(2) + " times the load, whatever fails, but for ten retries in hand." : retries === 0 ? "No retries, so none is needed." : "No bound: up to " + attempts + " times the load.",
      safe: { read: "Then a repetition is only load.", key: "Then B must enforce the key where concurrent requests meet, by a constraint.", write: retries > 0 && timeouts
        ? "Then this policy can make up to " + attempts + " of it, and show an error." : "Then leave trying again to the user." }[of("safe")],
      succeeded: { unknown: of("safe") === "write" ? "You would repeat a thing that is already done." : "Harmless only as long as it is safe to repeat.",
        recognised: of("safe") === "key" ? "Then a repetition is an answer and no second effect." : "By what? Only a key can tell it a repetition.",
        asked: "Between the asking and the repeating there is room for the first one to arrive." }[of("succeeded")],
      breaker: { never: "A goes on asking a B that can’t answer.", refused: "For a B that is down. For one that is slow it stays closed.",
        "timeout,error,refused": "Errors come at once, B gets room, and it stays open a while after B is well." }[of("breaker")],
      deadline: worst === null ? "Unknown, as there is no timeout." : deadline !== null && deadline < worst
        ? "An error after " + ms(deadline) + " at the latest; without that deadline, after " + ms(worst) + "." : "At worst nothing for " + ms(worst) + ", and then an error.",
      library: library === 1 ? "You have looked, and it doesn’t." : attempts + " × " + library + " = " + times + " tries for one request.",
      loop: loopEnds(of("loop"), { timeouts, retries, budget, breaker: of("breaker").includes("timeout"), load, well, slow }),
    };
    for (const cell of answered) cell.textContent = answers[cell.dataset.answer];
    form.elements.timeout.ariaInvalid = String(timeout === null);

    const path = "policy.calls.b", settings = [["operations.call.arrivals", "even"]];
    if (deadline !== null) settings.push(["operations.call.deadline", deadline + "ms"]);
    if (of("safe") !== "read") settings.push(["operations.call.idempotent", "false"]);
    // The library's tries are within an attempt of yours, so that this waits for all of them.
    if (timeout !== null) settings.push([path + ".timeout", timeout * library + "ms"]);
    settings.push([path + ".attempts", attempts], [path + ".retry_on", of("on")]);
    if (of("backoff") !== "none") settings.push([path + ".backoff.kind", of("backoff")], [path + ".backoff.base", "100ms"], [path + ".jitter", of("jitter")]);
    if (of("safe") === "key") settings.push([path + ".idempotency_key", "true"]);
    if (library > 1) {
      settings.push([path + ".library.attempts", library], [path + ".library.retry_on", "timeout,refused"]);
      if (timeout !== null) settings.push([path + ".library.timeout", timeout + "ms"]);
    }
    if (budget > 0) settings.push(["policy.budget.percent", budget]);
    if (of("breaker") !== "never") settings.push(["policy.breaker.enabled", "true"], ["policy.breaker.on", of("breaker")]);
    settings.push(["fault", "b,slow*8,3s,3s"]);
    runIn(byId("f-policy"), "policy-link", "two-service", settings, "Your policy, with a B that is slow for 3 s");
  };
  form.addEventListener("change", show);
  form.addEventListener("submit", e => e.preventDefault());
  show();
}

// loopEnds answers the last decision: what the reader names must be there, and must be enough.
function loopEnds(what, p) {
  const there = { nothing: p.retries === 0 || !p.timeouts, budget: p.budget > 0, timeouts: !p.timeouts || p.retries === 0, breaker: p.breaker }[what];
  const sum = "When all time out, B gets " + number(p.load) + " attempts a second; well it can do " + p.well + ", slow " + p.slow + ". ";
  if (what === "nothing") return sum + (p.load < p.well ? "It ends once B is well, after its queue." : "Then nothing ends it, even once B is well.");
  if (!there) return sum + "But " + { budget: "there is no budget above.", timeouts: "timeouts are retried above.", breaker: "no breaker above counts timeouts." }[what];
  return sum + (p.load < p.well ? "That ends it once B is well." : what === "breaker" ? "The breaker cuts that off while it is open." : "That is still too much for it.");
}

// --- runs of the reader's own ---------------------------------------------------------------------------------------

// runIn shows a built-in with settings in a figure. The frame is a new one each time, so that the run begins anew, and
// comes a moment after the last change.
const soon = new Map();

function runIn(figure, linkID, id, settings, title) {
  const fragment = "#v1/" + id + "?" + settings.map(([path, value]) => path + "=" + encodeURIComponent(value).replaceAll("%2C", ",")).join("&");
  byId(linkID).href = "../" + fragment;
  const src = themed("../embed.html" + fragment + "&view=charts&controls=play,scrub&autoplay=0");
  const old = figure.querySelector("iframe");
  if (old?.getAttribute("src") === src) return;
  clearTimeout(soon.get(figure));
  soon.set(figure, setTimeout(() => {
    const frame = document.createElement("iframe");
    frame.loading = "lazy";
    frame.title = title;
    frame.src = src;
    figure.querySelector("iframe")?.remove();
    figure.prepend(frame);
  }, old ? 300 : 0));
}

// --- the end --------------------------------------------------------------------------------------------------------

function writeLog() {
  const form = byId("log-form");
  if (!form) return;
  const line = byId("log-line"), before = line.textContent.slice(0, line.textContent.indexOf("Three retries"));
  const show = () => {
    const load = count(form.elements["log-load"].value), share = parseFloat(form.elements["log-share"].value) || 0, retries = count(form.elements["log-retries"].value);
    line.textContent = before + plural(retries, "retry", "retries") + " would have added " + number(load) + " × " + share / 100 + " × " + retries + " = "
      + number(load * share / 100 * retries) + " attempts /s with " + share + " % slow.";
  };
  form.addEventListener("input", show);
  form.addEventListener("submit", e => e.preventDefault());
  show();
}

function copyButtons() {
  for (const [button, text, says] of [
    ["copy-rule", () => byId("own-rule").value.trim(), "copy-says"],
    ["copy-log", () => { const rule = byId("own-rule").value.trim(); return (rule ? "Rule: " + rule + "\n" : "") + byId("log-line").textContent; }, "copy-log-says"],
  ]) {
    byId(button)?.addEventListener("click", async () => {
      if (!text()) return say(says, "There is nothing to copy yet.");
      try {
        await navigator.clipboard.writeText(text());
        say(says, "Copied.");
      } catch {
        say(says, "The browser did not allow it: select the text and copy it yourself.");
      }
    });
  }
}

// --- words and numbers ----------------------------------------------------------------------------------------------

const byId = id => document.getElementById(id);

function say(id, text) {
  if (byId(id).textContent !== text) byId(id).textContent = text;
}

// duration reads 20ms, 1.5 s or 2 min, in milliseconds; null if it isn't one, or none that a run may have.
function duration(text) {
  const found = /^([0-9]*[.,]?[0-9]+)\s*(ms|milliseconds?|s|sec|seconds?|m|min|minutes?)$/i.exec(text);
  if (!found) return null;
  const unit = found[2].toLowerCase();
  const n = parseFloat(found[1].replace(",", ".")) * (unit.startsWith("mi") && unit.includes("ll") || unit === "ms" ? 1 : unit.startsWith("s") ? 1000 : 60_000);
  return n >= 0.001 && n <= 3_600_000 ? Math.round(n * 1000) / 1000 : null;
}

// count reads a whole number, however its thousands are written, of at most 10 million.
function count(text, none = 0) {
  const digits = text.replace(/[\s,.’']/g, "").match(/^[0-9]+/);
  return digits ? Math.min(Number(digits[0]), 10_000_000) : none;
}

// few is how many attempts there may be in a run.
const few = text => Math.min(100, Math.max(1, count(text)));

const number = x => (Math.round(x * 100) / 100).toLocaleString("en-US");
const ms = x => x >= 1000 ? number(x / 1000) + " s" : number(x) + " ms";
const plural = (n, one, many) => number(n) + " " + (n === 1 ? one : many);
const list = words => words.length < 2 ? words.join("") : words.slice(0, -1).join(", ") + " and " + words.at(-1);
