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
    const picks = form.querySelector(`[data-picks="${name}"]`);
    if (picks) return pickedOf(picks).map((input) => `${input.value} ${input.dataset.item}`).join(", ");
    const rows = form.querySelector(`[data-rows="${name}"]`);
    if (!rows) {
      const input = form.elements[`f.${name}`];
      return input && !input.disabled ? input.value.trim() || (input.required ? "…" : "") : "";
    }
    return [...rows.querySelectorAll(".row")]
      .filter((row) => [...row.querySelectorAll("[data-column]")].some((input) => input.value))
      .map((row) => fillLine(rows.dataset.rowLine, (column) => row.querySelector(`[data-column="${column}"]`)?.value))
      .join(", ");
  });
}

// What is picked of several kinds, so many of each.
function pickedOf(picks) {
  return [...picks.querySelectorAll("[data-item]")].filter((input) => Number(input.value) > 0);
}

// How many have still to be picked.
function countPicks(form) {
  form.querySelectorAll("[data-picks][data-owed]").forEach((picks) => {
    const picked = pickedOf(picks).reduce((sum, input) => sum + Number(input.value), 0);
    picks.querySelector("[data-left]").textContent = Number(picks.dataset.owed) - picked;
  });
}

// --- choices that fit each other ---

// A copy of an option that remembers its group.
function withGroup(option) {
  const copy = option.cloneNode(true);
  copy.dataset.group = option.parentElement.matches("optgroup") ? option.parentElement.label : "";
  return copy;
}

// Copies of options, in the groups that they were in.
function inGroups(options) {
  const made = [];
  options.forEach((option) => {
    const copy = option.cloneNode(true);
    const last = made.at(-1);
    if (!copy.dataset.group) made.push(copy);
    else if (last?.label === copy.dataset.group && last.matches("optgroup")) last.append(copy);
    else {
      const group = Object.assign(document.createElement("optgroup"), { label: copy.dataset.group });
      group.append(copy);
      made.push(group);
    }
  });
  return made;
}

// Below a choice stands what the chosen thing does.
function showEffects(form) {
  form.querySelectorAll("[data-effects-of]").forEach((line) => {
    line.textContent = document.getElementById(line.dataset.effectsOf).selectedOptions[0]?.dataset.effects ?? "";
  });
}

// Leave in each select only what is legal with the selects before it.
function narrow(inputs, legal) {
  let left = legal;
  inputs.forEach((input, place) => {
    if (!input) return;
    input.wasRequired ??= input.required;
    const possible = new Set(left.map((combination) => combination[place]));
    input.allOptions ??= [...input.options].map(withGroup);
    const chosen = input.value;
    const fitting = input.allOptions.filter((option) => possible.has(option.value) || option.value === "");
    const real = fitting.filter((option) => option.value !== "");
    input.replaceChildren(...inGroups(fitting));
    const stays = fitting.some((option) => option.value === chosen);
    input.value = stays ? chosen : "";
    input.required = input.wasRequired || (input.dataset.column === undefined && !possible.has(""));
    if (real.length === 1 && !possible.has("") && (input.required || left.length < legal.length)) input.value = real[0].value;
    input.disabled = real.length === 0;
    if (input.dataset.column === undefined) input.closest(".field").hidden = input.disabled;
    if (input.value || possible.has("")) {
      left = left.filter((combination) => combination[place] === input.value);
    }
  });
  return left;
}

// Leave in a select some of its options; what is chosen and does not fit goes.
function allow(select, fits) {
  select.allOptions ??= [...select.options].map(withGroup);
  const chosen = select.value;
  const left = select.allOptions.filter((option) => option.value === "" || fits(option.value));
  select.replaceChildren(...inGroups(left));
  select.value = left.some((option) => option.value === chosen) ? chosen : "";
}

// Of a way each place leads on from the one before; what lies along it is nowhere else.
function narrowWays(form) {
  form.querySelectorAll("[data-way]").forEach((rows) => {
    const { start, from, steps } = JSON.parse(rows.dataset.way);
    const said = start ? form.elements[`f.${start}`].value : "";
    let place = Object.keys(from).length ? from[said] : said;
    const passed = place ? [place] : [];
    rows.querySelectorAll("[data-column]").forEach((select) => {
      const next = place ? steps[place] ?? [] : [];
      allow(select, (value) => next.includes(value));
      place = select.value;
      if (place) passed.push(place);
    });
    form.querySelectorAll(`[data-along="${rows.dataset.rows}"] [data-column]`).forEach((select) =>
      allow(select, (value) => passed.includes(value)));
  });
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
  narrowWays(form);
}

function setUpOrderForm(form) {
  const preview = form.querySelector(".preview-line");
  const refresh = () => {
    narrowForm(form);
    showEffects(form);
    countPicks(form);
    if (preview) preview.textContent = lineOf(form);
  };
  form.querySelectorAll("[data-rows]").forEach((rows) => {
    setUpRows(rows, refresh);
    if (rows.dataset.builds) rows.querySelectorAll(".row").forEach((row) => setUpBuild(rows, row, refresh));
  });
  form.addEventListener("input", refresh);
  form.addEventListener("change", refresh);
  refresh();
}

// --- a phrase that is built choice by choice ---

// Give a row a choice of the kinds of phrase, and the fields of the one chosen; what is made of them stands in the row's
// words. Phrases that are there already, or of no kind that is known, are written in words.
function setUpBuild(rows, row, refresh) {
  const [kinds, told] = [JSON.parse(rows.dataset.builds), JSON.parse(rows.dataset.buildWords)];
  const [item, words] = ["item", "words"].map((column) => row.querySelector(`[data-column=${column}]`));
  const made = (tag, values) => Object.assign(document.createElement(tag), values);
  const field = (text, input) => {
    const [box, label] = [made("div", { className: "field" }), made("label", { htmlFor: input.id })];
    label.append(...text);
    box.append(label, input);
    return box;
  };
  const choice = made("select", { id: `${words.id}-kind` });
  choice.append(new Option(told.choose, ""), ...kinds.map((kind, place) => new Option(kind.label, place)), new Option(told.words, "words"));
  const own = made("div", { className: "fields" });
  const legend = [...row.querySelector("label").cloneNode(true).childNodes];
  const write = () => {
    const kind = kinds[choice.value];
    if (!kind) return;
    const value = (name) => own.querySelector(`[data-of="${name}"]`)?.value;
    words.value = kind.fields.every((one) => one.optional || value(one.name)) ? fillLine(kind.line, value) : "";
    refresh();
  };
  const inputOf = (one) => {
    const input = made(one.number ? "input" : "select", { id: `${words.id}-${one.name}`, required: !one.optional });
    input.dataset.of = one.name;
    if (one.number) return Object.assign(input, { type: "number", min: one.least, max: one.most, value: one.least });
    const options = one.options.map(([value, label, group, owner]) => {
      const option = new Option(label, value);
      Object.assign(option.dataset, { group, owner });
      return option;
    });
    const free = one.optional || (one.options.length > 1 && !one.chosen) ? [new Option(one.optional ? "–" : told.choose, "")] : [];
    input.append(...free, ...inGroups(options));
    if (one.chosen) input.value = one.chosen;
    input.addEventListener("change", () => {  // whose the chosen thing is, is known with it
      const giver = own.querySelector("[data-of=giver]");
      const owner = input.selectedOptions[0]?.dataset.owner;
      if (giver && owner) giver.value = owner;
    });
    return input;
  };
  const show = () => {
    const kind = kinds[choice.value];
    words.closest(".field").hidden = choice.value !== "words";
    own.replaceChildren(...(kind?.fields ?? []).map((one) => field([one.label], inputOf(one))));
    if (choice.value !== "words") words.value = "";
    write();
    refresh();
  };
  item.closest(".field").hidden = true;
  if (item.value) [words.value, item.value] = [item.value, ""];
  choice.value = words.value ? "words" : "";
  row.querySelector(".fields").prepend(field(legend, choice));
  row.querySelector(".fields").after(own);
  words.closest(".field").hidden = !words.value;
  choice.addEventListener("change", show);
  own.addEventListener("input", write);
  own.addEventListener("change", write);
  row.addEventListener("dropped", () => {
    choice.value = "";
    show();
  });
}

// Of the empty rows that the page brought for those without a script, show one at a time.
function setUpRows(rows, refresh) {
  const more = rows.querySelector("[data-more]");
  const all = () => [...rows.querySelectorAll(".row")];
  all().slice(Number(rows.dataset.least ?? 1)).forEach((row) => {
    row.hidden = ![...row.querySelectorAll("[data-column]")].some((input) => input.value);
  });
  const update = () => { more.hidden = !all().some((row) => row.hidden); };
  more.addEventListener("click", () => {
    const next = all().find((row) => row.hidden);
    if (next) {
      next.hidden = false;
      [...next.querySelectorAll("select, input")].find((input) => input.checkVisibility())?.focus();
    }
    update();
    refresh();
  });
  rows.addEventListener("click", (event) => {
    if (!event.target.matches("[data-drop]")) return;
    const row = event.target.closest(".row");
    row.querySelectorAll("[data-column]").forEach((input) => { input.value = ""; });
    row.dispatchEvent(new Event("dropped"));
    row.hidden = true;
    update();
    refresh();
    more.focus();
  });
  update();
}

// --- standing orders: of the lists what fits ---

// A condition that asks no more than whether something is so has no sign and no value; another one only values of its kind.
function fitCondition(row) {
  const chosen = row.querySelector("[data-column=name]").selectedOptions[0];
  const takes = chosen?.dataset.takes ?? "";
  const [sign, value] = ["sign", "value"].map((column) => row.querySelector(`[data-column=${column}]`));
  [sign, value].forEach((input) => {
    input.closest(".field").hidden = takes === "yes";
    if (takes === "yes") input.value = "";
  });
  value.inputMode = takes === "number" ? "numeric" : "text";
  const names = document.querySelector("#values");
  names.allOptions ??= [...names.options];
  value.onfocus = () => names.replaceChildren(
    ...names.allOptions.filter((option) => takes === "" || takes.split("|").includes(option.dataset.domain)));
}

// Answers in advance: those of the kind of question that is chosen. The chosen one is written as the line.
function setUpAnswers(select) {
  const [kind, line] = [select.dataset.answersOf, select.dataset.into].map((id) => document.getElementById(id));
  const all = [...select.options];
  const fit = () => {
    const chosen = select.value;
    select.replaceChildren(...all.filter((option) => !option.dataset.kind || option.dataset.kind === kind.value));
    select.value = [...select.options].some((option) => option.value === chosen) ? chosen : "";
  };
  kind.addEventListener("change", fit);
  select.addEventListener("change", () => {
    line.value = select.value;
    line.dispatchEvent(new Event("input", { bubbles: true }));
    if (!select.value) line.focus();
  });
  fit();
  const rows = [...select.form.querySelectorAll("[data-rows] .row")];
  rows.forEach((row) => {
    row.querySelector("[data-column=name]").addEventListener("change", () => fitCondition(row));
    fitCondition(row);
  });
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

// --- the hours of a pace, beside the kinds of questions ---

function setUpPace(choice) {
  const hours = document.querySelectorAll("[data-hours]");
  choice.addEventListener("change", () => hours.forEach((element) => {
    const told = JSON.parse(element.dataset.hours)[choice.value];
    if (element.matches("input")) element.placeholder = told;
    else element.textContent = told;
  }));
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

// What part of the map is seen: asked for by its middle and its width, kept inside the map. A window of another shape than
// the map (a phone's) has room beside the whole map; in any other view it is filled.
function setUpView(map, svg) {
  const whole = svg.getAttribute("viewBox").split(" ").map(Number);
  svg.style.aspectRatio = `${whole[2]} / ${whole[3]}`;
  let [x, y, width, height] = whole;
  const shape = () => {
    const box = svg.getBoundingClientRect();
    return box.width ? box.height / box.width : whole[3] / whole[2];
  };
  const within = (start, length, from, room) =>
    (length >= room ? from + (room - length) / 2 : Math.max(from, Math.min(start, from + room - length)));
  const view = {
    whole,
    widest: () => Math.max(whole[2], whole[3] / shape()),
    isWhole: () => width >= view.widest() - 1,
    width: () => width,
    show() {
      width = Math.max(whole[2] / 12, Math.min(width, view.widest()));
      height = width * shape();
      x = within(x, width, whole[0], whole[2]);
      y = within(y, height, whole[1], whole[3]);
      svg.setAttribute("viewBox", (view.isWhole() ? whole : [x, y, width, height]).join(" "));
      map.classList.toggle("zoomed", !view.isWhole());
    },
    all() {
      width = view.widest();
      view.show();
    },
    move(right, down) {
      x += right * width;
      y += down * height;
      view.show();
    },
    zoom(factor, atX = 0.5, atY = 0.5) {
      const wanted = Math.max(whole[2] / 12, Math.min(width * factor, view.widest()));
      x += (width - wanted) * atX;
      y += (height - height * wanted / width) * atY;
      width = wanted;
      view.show();
    },
    // Where something lies, as parts of what is seen: [left, top, right, bottom], 0 to 1.
    boxOf(elements) {
      const box = svg.getBoundingClientRect();
      const boxes = elements.map((element) => element.getBoundingClientRect());
      return [(Math.min(...boxes.map((b) => b.left)) - box.left) / box.width, (Math.min(...boxes.map((b) => b.top)) - box.top) / box.height,
        (Math.max(...boxes.map((b) => b.right)) - box.left) / box.width, (Math.max(...boxes.map((b) => b.bottom)) - box.top) / box.height];
    },
    // Bring things into the middle, so near that a window is at most so many units wide as they need.
    goTo(elements, wanted) {
      view.all();
      const [left, top, right, bottom] = view.boxOf(elements);
      const seen = svg.viewBox.baseVal;
      const scale = Math.max(seen.width, seen.height / shape());
      const middle = [seen.x + seen.width / 2 + ((left + right) / 2 - 0.5) * scale,
        seen.y + seen.height / 2 + ((top + bottom) / 2 - 0.5) * scale * shape()];
      width = wanted;
      height = wanted * shape();
      [x, y] = [middle[0] - width / 2, middle[1] - height / 2];
      view.show();
    },
  };
  return view;
}

// Fingers, mouse and wheel; calls `chosen` for a place that was tapped.
function setUpPointing(svg, view, chosen) {
  const point = (event) => {
    const box = svg.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  };
  const fingers = new Map();
  let moved = false;
  svg.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, event);
    moved = false;
  });
  svg.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const box = svg.getBoundingClientRect();
    if (fingers.size === 2) {
      const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
      const distance = (finger) => Math.hypot(finger.clientX - other.clientX, finger.clientY - other.clientY);
      if (distance(event) > 0) view.zoom(distance(before) / distance(event), ...point(other));
      moved = true;
    } else if (!view.isWhole()) {
      moved ||= Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) > 2;
      if (!moved) return;
      svg.setPointerCapture(event.pointerId);  // only now: a captured tap would not reach the place
      view.move((before.clientX - event.clientX) / box.width, (before.clientY - event.clientY) / box.height);
    }
    fingers.set(event.pointerId, event);
  });
  ["pointerup", "pointercancel", "pointerleave"].forEach((kind) =>
    svg.addEventListener(kind, (event) => fingers.delete(event.pointerId)));
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && view.isWhole()) return;  // the page scrolls on
    event.preventDefault();
    view.zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, ...point(event));
  }, { passive: false });
  svg.addEventListener("click", (event) => {
    const area = event.target.closest("[aria-label]");
    if (!moved && area && area !== svg) chosen(area);
  });
}

// The nearest of some places in the direction of an arrow key; what lies aside counts double.
function nearestPlace(areas, from, [right, down]) {
  const middle = (area) => {
    const box = area.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const [x, y] = middle(from);
  let best = null;
  areas.forEach((area) => {
    const [toX, toY] = middle(area);
    const ahead = (toX - x) * right + (toY - y) * down;
    const aside = Math.abs((toX - x) * down) + Math.abs((toY - y) * right);
    if (area !== from && ahead > 1 && (!best || ahead + 2 * aside < best.far)) best = { area, far: ahead + 2 * aside };
  });
  return best && best.area;
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const LEGIBLE = 1.2;  // units of a map to a pixel at which its names can be read

function setUpMap(map) {
  const svg = map.querySelector("svg");
  if (!svg) return;
  map.classList.add("live");
  const view = setUpView(map, svg);
  const tip = map.querySelector(".map-tip");
  const areas = [...svg.querySelectorAll("[role=img][aria-label]")];
  const named = (area) => area.getAttribute("aria-label").split(/[.:]/)[0];
  const legible = () => svg.getBoundingClientRect().width * LEGIBLE;
  const choose = (area) => {
    areas.forEach((other) => {
      other.classList.toggle("chosen", other === area);
      other.setAttribute("tabindex", other === area ? "0" : "-1");
    });
    tip.textContent = area.getAttribute("aria-label");
    const [left, top, right, bottom] = view.boxOf([area]);
    if ((left + right) / 2 < 0 || (left + right) / 2 > 1 || (top + bottom) / 2 < 0 || (top + bottom) / 2 > 1) {
      view.goTo([area], view.width());
    }
  };
  setUpPointing(svg, view, choose);
  map.querySelectorAll("[data-zoom]").forEach((button) => button.addEventListener("click", () => {
    if (button.dataset.zoom === "whole") view.all();
    else view.zoom(button.dataset.zoom === "in" ? 1 / 1.5 : 1.5);
  }));

  // keys: on the frame they move the map, on a place they go to the next one
  const frame = map.querySelector(".board-frame");
  frame.tabIndex = 0;
  frame.addEventListener("keydown", (event) => {
    const arrow = ARROWS[event.key];
    const area = event.target.closest("[role=img][aria-label]");
    if (event.key === "+" || event.key === "=") view.zoom(1 / 1.5);
    else if (event.key === "-") view.zoom(1.5);
    else if (arrow && area) nearestPlace(areas, area, arrow)?.focus({ preventScroll: true });
    else if (arrow && !view.isWhole()) view.move(arrow[0] / 8, arrow[1] / 8);
    else return;
    event.preventDefault();
  });
  areas.forEach((area) => {
    area.setAttribute("tabindex", "-1");
    area.addEventListener("focus", () => choose(area));
  });

  const find = map.querySelector("[data-find]");
  map.querySelector("datalist").replaceChildren(...[...new Set(areas.map(named))].sort().map((name) => new Option(name)));
  find.addEventListener("input", () => {
    const wanted = find.value.trim().toLocaleLowerCase();
    const fits = areas.filter((area) => named(area).toLocaleLowerCase().startsWith(wanted));
    const found = fits.find((area) => named(area).toLocaleLowerCase() === wanted) ?? (fits.length === 1 ? fits[0] : null);
    if (!wanted || !found) return;
    if (view.width() > legible()) view.goTo([found], legible());
    choose(found);
  });

  // the places that the question is about: the first to be reached by keys; where names are too small, the map opens there
  const about = JSON.parse(map.dataset.places ?? "[]");
  const asked = areas.filter((area) => about.includes(area.id.slice(area.id.indexOf("-") + 1)));
  (asked[0] ?? areas[0])?.setAttribute("tabindex", "0");
  if (asked.length && view.whole[2] > 2 * legible()) view.goTo(asked, legible());
  setUpTables(map, svg, view, legible);
  setUpWidth(map, view);
}

// Where the whole picture is too small to be read, a button leads to the tables that lie below its places.
function setUpTables(map, svg, view, legible) {
  const [button, spaces] = [map.querySelector("[data-tables]"), svg.querySelector("#spaces, #areas")];
  if (!spaces || view.whole[2] <= 1.5 * legible()) return;
  const bottom = spaces.getBoundingClientRect().bottom;
  const tables = [...svg.querySelectorAll("#displays > *, #table > *")].filter((one) => one.getBoundingClientRect().top >= bottom);
  button.hidden = tables.length === 0;
  const far = (one) => {  // from the upper left corner; what lies lower counts more
    const box = one.getBoundingClientRect();
    return box.left + 3 * box.top;
  };
  button.addEventListener("click", () => {
    view.all();
    view.goTo([tables.reduce((best, one) => (far(one) < far(best) ? one : best))], legible());
    view.move(-view.whole[2], 0);  // a row is read from its left
  });
}

// The map over the whole width of the page, as long as the reader wants it so.
function setUpWidth(map, view) {
  const [button, columns] = [map.querySelector("[data-wide]"), map.closest(".columns")];
  button.hidden = !columns;
  if (!columns) return;
  const set = (wide) => {
    columns.classList.toggle("wide", wide);
    button.setAttribute("aria-pressed", String(wide));
    view.show();
  };
  set(localStorage.getItem("wide-map") === "yes");
  button.addEventListener("click", () => {
    const wide = button.getAttribute("aria-pressed") !== "true";
    localStorage.setItem("wide-map", wide ? "yes" : "no");
    set(wide);
  });
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
document.querySelectorAll("[data-answers-of]").forEach(setUpAnswers);
document.querySelectorAll("form[data-once]").forEach(setUpOnce);
document.querySelectorAll("#found #pace").forEach(setUpPace);
document.querySelectorAll("[data-until]").forEach(setUpCountdown);
document.querySelectorAll("[data-follow]").forEach(setUpFollowing);
document.querySelectorAll("[data-filter]").forEach(setUpFilter);
document.querySelectorAll(".map").forEach(setUpMap);
document.querySelectorAll("details[data-closed-when-narrow]").forEach((part) => {
  if (matchMedia("(max-width: 47.99em)").matches && !part.querySelector("details[open], [aria-invalid]")) part.open = false;
});
document.querySelectorAll(".tabs").forEach((tabs) => {
  const current = tabs.querySelector("[aria-current]");
  if (current) tabs.scrollLeft = current.offsetLeft - (tabs.clientWidth - current.clientWidth) / 2;
});
