// What pages gain with a script: the line of an order as it is made, choices that fit each other, rows, a map to pan and
// zoom, time running down, news of the campaign, filters. Every page works without it.
"use strict";
document.documentElement.classList.add("js");

// --- the line of an order ---

// Fill a line's grammar: {field} is replaced, [...] is left out when none of its fields holds anything.
function fillLine(line, value) {
  const option = /\[([^\[\]]*)\]/g;
  let text = line;
  while (option.test(text)) {
    option.lastIndex = 0;
    text = text.replace(option, (whole, inner) => {
      const fields = [...inner.matchAll(/\{(\w+)\}/g)].map((found) => found[1]);
      return fields.some((name) => value(name)) ? inner : "";
    });
  }
  return text.replace(/\{(\w+)\}/g, (whole, name) => value(name) || "…").replace(/\s+/g, " ").replace(/ ([:,])/g, "$1").trim();
}

function lineOf(form) {
  return fillLine(form.dataset.line, (name) => {
    const rows = form.querySelector(`[data-rows="${name}"]`);
    if (!rows) {
      const input = form.elements[`f.${name}`];
      return input && !input.disabled ? input.value.trim() : "";
    }
    return [...rows.querySelectorAll(".row")]
      .filter((row) => [...row.querySelectorAll("[data-column]")].some((input) => input.value))
      .map((row) => fillLine(rows.dataset.rowLine, (column) => row.querySelector(`[data-column="${column}"]`)?.value))
      .join(", ");
  });
}

// --- choices that fit each other ---

// Leave in each select only what is legal with the selects before it.
function narrow(inputs, legal) {
  let left = legal;
  inputs.forEach((input, place) => {
    if (!input) return;
    input.wasRequired ??= input.required;
    const possible = new Set(left.map((combination) => combination[place]));
    input.allOptions ??= [...input.options].map((option) => option.cloneNode(true));
    const chosen = input.value;
    const fitting = input.allOptions.filter((option) => possible.has(option.value) || option.value === "");
    const real = fitting.filter((option) => option.value !== "");
    input.replaceChildren(...fitting.map((option) => option.cloneNode(true)));
    const stays = fitting.some((option) => option.value === chosen);
    input.value = stays ? chosen : "";
    input.required = input.wasRequired || (input.dataset.column === undefined && !possible.has(""));
    if (real.length === 1 && !possible.has("") && left.length < legal.length) input.value = real[0].value;
    input.disabled = real.length === 0;
    if (input.value || possible.has("")) {
      left = left.filter((combination) => combination[place] === input.value);
    }
  });
  return left;
}

function narrowForm(form) {
  if (form.dataset.depends) {
    const names = JSON.parse(form.dataset.depends);
    narrow(names.map((name) => form.elements[`f.${name}`]), JSON.parse(form.dataset.legal));
    form.querySelectorAll("[data-only-with]").forEach((input) => {
      const now = JSON.stringify(names.map((name) => form.elements[`f.${name}`].value));
      input.disabled = !JSON.parse(input.dataset.onlyWith).some((combination) => JSON.stringify(combination) === now);
    });
  }
  form.querySelectorAll(".row[data-depends]").forEach((row) => {
    const names = JSON.parse(row.dataset.depends);
    narrow(names.map((name) => row.querySelector(`[data-column="${name}"]`)), JSON.parse(row.dataset.legal));
  });
}

function setUpOrderForm(form) {
  const preview = form.querySelector(".preview-line");
  const refresh = () => {
    narrowForm(form);
    if (preview) preview.textContent = lineOf(form);
  };
  form.querySelectorAll("[data-rows]").forEach((rows) => setUpRows(rows, refresh));
  form.addEventListener("input", refresh);
  form.addEventListener("change", refresh);
  refresh();
}

// Of the empty rows that the page brought for those without a script, show one at a time.
function setUpRows(rows, refresh) {
  const more = rows.querySelector("[data-more]");
  const all = () => [...rows.querySelectorAll(".row")];
  all().slice(1).forEach((row) => {
    row.hidden = ![...row.querySelectorAll("[data-column]")].some((input) => input.value);
  });
  const update = () => { more.hidden = !all().some((row) => row.hidden); };
  more.addEventListener("click", () => {
    const next = all().find((row) => row.hidden);
    if (next) {
      next.hidden = false;
      next.querySelector("select, input").focus();
    }
    update();
    refresh();
  });
  rows.addEventListener("click", (event) => {
    if (!event.target.matches("[data-drop]")) return;
    const row = event.target.closest(".row");
    row.querySelectorAll("[data-column]").forEach((input) => { input.value = ""; });
    row.hidden = true;
    update();
    refresh();
    more.focus();
  });
  update();
}

// --- a form counts once ---

function setUpOnce(form) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    // After the browser has read the form; a disabled button would not be sent.
    setTimeout(() => form.querySelectorAll("button").forEach((button) => { button.disabled = true; }));
  });
  window.addEventListener("pageshow", () => {
    delete form.dataset.sent;
    form.querySelectorAll("button").forEach((button) => { button.disabled = false; });
  });
}

// --- time left ---

function setUpCountdown(element) {
  const words = JSON.parse(element.dataset.words);
  const until = Date.parse(element.dataset.until);
  const ahead = Date.parse(element.dataset.now) - Date.now();
  const show = () => {
    const minutes = Math.floor((until - Date.now() - ahead) / 60000);
    if (minutes < 0) {
      element.textContent = words.over;
      return;
    }
    const parts = [[Math.floor(minutes / 1440), words.days], [Math.floor(minutes / 60) % 24, words.hours],
      [minutes % 60, words.minutes]];
    const first = parts.findIndex((part) => part[0] > 0);
    element.textContent = parts.slice(first < 0 ? 2 : first).map((part) => `${part[0]} ${part[1]}`).join(" ");
  };
  show();
  setInterval(show, 20000);
}

// --- filters ---

// Leave the items that hold the text, and with data-filter-within only the parts that still hold an item; of parts that
// are folded those unfold.
function setUpFilter(input) {
  const within = input.dataset.filterWithin ? [...document.querySelectorAll(input.dataset.filterWithin)] : [];
  const every = [...document.querySelectorAll(input.dataset.filter)];
  const items = within.length ? every.filter((item) => within.some((part) => part.contains(item))) : every;
  const none = document.querySelector(input.dataset.none);
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLocaleLowerCase();
    let shown = 0;
    items.forEach((item) => {
      item.hidden = !item.textContent.toLocaleLowerCase().includes(wanted);
      if (!item.hidden) shown += 1;
    });
    within.forEach((part) => {
      part.hidden = items.every((item) => item.hidden || !part.contains(item));
      if (part.matches("details")) part.open = wanted !== "" && !part.hidden;
    });
    if (none) none.hidden = shown > 0;
  });
}

// --- the map ---

function setUpMap(map) {
  const svg = map.querySelector("svg");
  if (!svg) return;
  const whole = svg.getAttribute("viewBox").split(" ").map(Number);
  let [x, y, width, height] = whole;
  const tip = map.querySelector(".map-tip");
  const show = () => {
    width = Math.min(width, whole[2]);
    height = width * whole[3] / whole[2];
    x = Math.max(whole[0], Math.min(x, whole[0] + whole[2] - width));
    y = Math.max(whole[1], Math.min(y, whole[1] + whole[3] - height));
    svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    map.classList.toggle("zoomed", width < whole[2] - 1);
  };
  const point = (event) => {
    const box = svg.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  };
  const zoom = (factor, atX = 0.5, atY = 0.5) => {
    const wanted = Math.max(whole[2] / 8, Math.min(width * factor, whole[2]));
    x += (width - wanted) * atX;
    y += (height - height * wanted / width) * atY;
    width = wanted;
    show();
  };
  const fingers = new Map();
  let moved = false;
  svg.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, event);
    moved = false;
    if (width < whole[2] - 1 || fingers.size > 1) svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const box = svg.getBoundingClientRect();
    if (fingers.size === 2) {
      const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
      const distance = (finger) => Math.hypot(finger.clientX - other.clientX, finger.clientY - other.clientY);
      const [atX, atY] = point(other);
      if (distance(event) > 0) zoom(distance(before) / distance(event), atX, atY);
      moved = true;
    } else if (width < whole[2] - 1) {
      x -= (event.clientX - before.clientX) * width / box.width;
      y -= (event.clientY - before.clientY) * height / box.height;
      moved ||= Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) > 2;
      show();
    }
    fingers.set(event.pointerId, event);
  });
  ["pointerup", "pointercancel", "pointerleave"].forEach((kind) =>
    svg.addEventListener(kind, (event) => fingers.delete(event.pointerId)));
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && width >= whole[2] - 1) return;  // the page scrolls on
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, ...point(event));
  }, { passive: false });
  svg.addEventListener("click", (event) => {
    const area = event.target.closest("[aria-label]");
    if (moved || !tip || !area || area === svg) return;
    svg.querySelectorAll(".chosen").forEach((found) => found.classList.remove("chosen"));
    area.classList.add("chosen");
    tip.textContent = area.getAttribute("aria-label");
    tip.hidden = false;
  });
  map.querySelectorAll("[data-zoom]").forEach((button) => button.addEventListener("click", () => {
    if (button.dataset.zoom === "whole") [x, y, width, height] = whole;
    else zoom(button.dataset.zoom === "in" ? 1 / 1.5 : 1.5);
    show();
  }));
  const frame = map.querySelector(".board-frame");
  frame.tabIndex = 0;
  frame.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === "+" || event.key === "=") zoom(1 / 1.5);
    else if (event.key === "-") zoom(1.5);
    else if (steps[event.key] && width < whole[2] - 1) {
      x += steps[event.key][0] * width / 8;
      y += steps[event.key][1] * height / 8;
      show();
    } else return;
    event.preventDefault();
  });
  map.classList.add("live");
}

// --- following a campaign ---

// Say when something has happened since the page was made; the page itself stays, for an order may be half written.
function setUpFollowing(notice) {
  const look = async () => {
    if (document.hidden || !notice.hidden) return;
    try {
      const answer = await fetch(notice.dataset.follow, { cache: "no-cache", credentials: "same-origin" });
      if (answer.ok && (await answer.json()).event > Number(notice.dataset.event)) notice.hidden = false;
    } catch {
      // The service or the network is away: the next look may find it.
    }
  };
  setInterval(look, 60000);
  document.addEventListener("visibilitychange", look);
}

document.querySelectorAll("form[data-line]").forEach(setUpOrderForm);
document.querySelectorAll("form[data-once]").forEach(setUpOnce);
document.querySelectorAll("[data-until]").forEach(setUpCountdown);
document.querySelectorAll("[data-follow]").forEach(setUpFollowing);
document.querySelectorAll("[data-filter]").forEach(setUpFilter);
document.querySelectorAll(".map").forEach(setUpMap);
document.querySelectorAll(".tabs").forEach((tabs) => {
  const current = tabs.querySelector("[aria-current]");
  if (current) tabs.scrollLeft = current.offsetLeft - (tabs.clientWidth - current.clientWidth) / 2;
});
