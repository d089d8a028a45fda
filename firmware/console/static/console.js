// The console in the browser: what is new comes by itself, forms answer in place, and frames can be stepped through.
// Without it every page works too: forms lead on, and a page is loaded again to see what is new.
"use strict";
const SVG = "http://www.w3.org/2000/svg";
const find = (what, where = document) => where.querySelector(what);
const all = (what, where = document) => [...where.querySelectorAll(what)];

// --- the dice as they are read, drawn over a picture ---------------------------------------------------------------

function drawDice(group, dice) {
  group.replaceChildren(...dice.map((die) => {
    const mark = document.createElementNS(SVG, "g");
    const edge = document.createElementNS(SVG, "rect");
    const text = document.createElementNS(SVG, "text");
    const half = die.size / 2;
    const odd = die.state && die.state !== "flat" && die.state !== "unknown";
    mark.setAttribute("class", odd ? "odd" : die.value ? "sure" : "unsure");
    for (const [name, value] of Object.entries({ x: die.x - half, y: die.y - half, width: die.size, height: die.size,
      rx: die.size / 8, transform: `rotate(${die.angle} ${die.x} ${die.y})` })) edge.setAttribute(name, value);
    text.setAttribute("x", die.x);
    text.setAttribute("y", die.y - half - 6 < 18 ? die.y + half + 20 : die.y - half - 6);
    text.textContent = odd ? `${die.value || "?"} ${die.state}` : die.value || (die.still === false ? "" : "?");
    mark.append(edge, text);
    return mark;
  }));
}

function toggles(button, about) {
  button.addEventListener("click", () => {
    const shown = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", shown);
    about.classList.toggle("no-overlay", !shown);
  });
}

// --- the live page -------------------------------------------------------------------------------------------------

const PHASES = { waiting: "The tray is empty", hand: "A hand is in the tray", rolling: "Dice roll", moving: "Something moves",
  reading: "The dice are being read", settled: "The dice are read", lost: "The view is lost" };
let clock = { t: 0, at: 0 };

function minutes(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

function tick() {
  const t = clock.t + (performance.now() - clock.at) / 1000;
  const now = find("#board .state");
  if (!now || !now.dataset.since) return;
  const left = now.dataset.limit ? ` of ${minutes(+now.dataset.limit)}` : "";
  find(".timer", now).textContent = ` · ${minutes(t - now.dataset.since)}${left}`;
  find(".match-clock", now).textContent = ` · match ${minutes(t)}`;
}

function live(page) {
  const tray = find("#tray"), image = find("image", tray), overlay = find(".overlay", tray);
  toggles(find("#overlay"), tray);
  clock = { t: +page.dataset.t, at: performance.now() };
  setInterval(tick, 500);
  tick();
  const stream = new EventSource("/events");
  stream.addEventListener("board", (event) => {
    const told = JSON.parse(event.data);
    clock = { t: told.t, at: performance.now() };
    const open = all("#board details[open]").length;
    find("#board").innerHTML = told.html;
    if (open) all("#board .legal details").forEach((one) => { one.open = true; });
    const status = find("#status"), now = find("#board .state");
    if (now && status.textContent !== now.dataset.told) status.textContent = now.dataset.told;
    tick();
    refresh(find("#seat[data-mine]"), "/seat");
    refresh(find("#cases"), "/cases");
  });
  stream.addEventListener("picture", (event) => {
    const told = JSON.parse(event.data);
    const [width, height] = told.size;
    find(".tray").hidden = false;
    tray.setAttribute("viewBox", `0 0 ${width} ${height}`);
    image.setAttribute("width", width);
    image.setAttribute("height", height);
    image.setAttribute("href", told.src);
    drawDice(overlay, told.dice);
    find("#phase").textContent = PHASES[told.phase] || "";
  });
}

// A case is not loaded anew by itself: a reason may be half written.
function watch(page) {
  new EventSource("/events").addEventListener("board", (event) => {
    if (JSON.parse(event.data).count !== +page.dataset.count) find("#news").hidden = false;
  });
}

async function refresh(part, from) {
  if (!part) return;
  const answer = await fetch(from);
  if (!answer.ok) return;
  const html = await answer.text();
  if (part.dataset.shown === html) return;
  const typing = part.contains(document.activeElement) && document.activeElement.matches("input, textarea, select");
  const opened = find("details[open]", part) !== null;
  if (typing || opened) return;
  part.dataset.shown = html;
  part.innerHTML = html;
}

// --- forms answer in place -----------------------------------------------------------------------------------------

// It is told where the pages' names stand, which always do: no box is covered, and the next tap puts it away.
let putAway;
function tell(text) {
  clearTimeout(putAway);
  find("#said").textContent = text;
  if (text) putAway = setTimeout(tell, 5000, "");
}
document.addEventListener("pointerdown", () => tell(""));

async function send(form, button) {
  const where = form.getAttribute("action");  // form.action is a field of that name where there is one
  const told = new URLSearchParams(new FormData(form, button));
  all("button", form).forEach((one) => { one.disabled = true; });
  try {
    const answer = await fetch(where, { method: "post", body: told, headers: { accept: "application/json" } });
    const came = await answer.json();
    tell(came.text || "Done");
    if (came.taken && form.dataset.then) window.location.assign(form.dataset.then);
    else if (came.taken && form.matches(".reload")) window.location.reload();
    else if (came.taken && form.matches("#seat[data-mine] form")) {
      document.activeElement.blur();
      refresh(find("#seat"), "/seat");
    }
  } catch {
    tell("The tray does not answer. Is this device still in its network?");
  } finally {
    all("button", form).forEach((one) => { one.disabled = false; });
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.getAttribute("method") !== "post" || form.matches(".plain")) return;
  event.preventDefault();
  send(form, event.submitter);
});

// --- frames of evidence --------------------------------------------------------------------------------------------

function viewer(root) {
  const frames = JSON.parse(root.dataset.frames), width = +root.dataset.width, height = +root.dataset.height;
  const now = find(".now", root), before = find(".before", root), range = find("input[type=range]", root);
  const svg = find("svg", now);
  let place = frames.length - 1, view = { x: 0, y: 0, zoom: 1 };

  const put = (figure, frame) => {
    find("image", figure).setAttribute("href", frame.src);
    drawDice(find(".overlay", figure), frame.dice);
    find("figcaption", figure).textContent = `Frame ${frame.frame}, ${frame.t} s`;
  };
  const show = (at) => {
    place = Math.min(frames.length - 1, Math.max(0, at));
    range.value = place;
    put(now, frames[place]);
    const next = frames[place + 1];
    if (next) new Image().src = next.src;
  };
  const look = (x, y, zoom) => {
    const across = width / zoom, down = height / zoom;
    view = { zoom, x: Math.min(width - across, Math.max(0, x)), y: Math.min(height - down, Math.max(0, y)) };
    all("svg", root).forEach((one) => one.setAttribute("viewBox", `${view.x} ${view.y} ${across} ${down}`));
  };
  const zoomAt = (x, y, zoom) => {
    const to = Math.min(8, Math.max(1, zoom));
    look(x - width / to / 2, y - height / to / 2, to);
  };
  const middle = () => [view.x + width / view.zoom / 2, view.y + height / view.zoom / 2];
  const move = (x, y) => look(view.x + x * width / view.zoom / 4, view.y + y * height / view.zoom / 4, view.zoom);
  const press = (name, on) => find(`[data-do=${name}]`, root).setAttribute("aria-pressed", on);
  const acts = {
    first: () => show(0), previous: () => show(place - 1), next: () => show(place + 1), last: () => show(frames.length - 1),
    in: () => zoomAt(...middle(), view.zoom * 2), out: () => zoomAt(...middle(), view.zoom / 2),
    overlay: () => press("overlay", !root.classList.toggle("no-overlay")),
    keep: () => {
      before.hidden = !before.hidden;
      root.classList.toggle("comparing", !before.hidden);
      press("keep", !before.hidden);
      if (!before.hidden) put(before, frames[place]);
    },
  };
  all("[data-do]", root).forEach((button) => button.addEventListener("click", acts[button.dataset.do]));
  range.addEventListener("input", () => show(+range.value));
  svg.addEventListener("click", (event) => {
    if (view.zoom > 1) { look(0, 0, 1); return; }
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    zoomAt(at.x, at.y, 4);
  });
  const keys = { o: acts.overlay, c: acts.keep, "+": acts.in, "-": acts.out, Home: acts.first, End: acts.last,
    ArrowLeft: () => (view.zoom > 1 ? move(-1, 0) : acts.previous()), ArrowRight: () => (view.zoom > 1 ? move(1, 0) : acts.next()),
    ArrowUp: () => move(0, -1), ArrowDown: () => move(0, 1), ",": acts.previous, ".": acts.next };
  svg.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  all(".tools", root).forEach((one) => { one.hidden = false; });
  show(place);
}

const page = find("#live");
if (page) live(page);
const opened = find("#case");
if (opened) watch(opened);
all(".viewer").forEach(viewer);
