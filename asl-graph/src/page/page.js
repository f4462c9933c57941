"use strict";
(() => {
  const states = JSON.parse(document.getElementById("states").textContent);
  const at = (id) => document.getElementById(id);
  const stage = at("stage"), picture = at("picture"), svg = picture.querySelector("svg");
  const cards = new Map([...svg.querySelectorAll("g.state[data-state]")].map((it) => [+it.dataset.state, it]));
  const edges = [...svg.querySelectorAll("g.edge")].map((it) => ({
    from: it.dataset.from, to: it.dataset.to, kind: it.dataset.kind,
    traces: it.dataset.traces.split(" ").filter(Boolean),
  }));
  const traces = new Map([...svg.querySelectorAll(".trace")].map((it) => [it.dataset.trace, it]));
  const width = svg.width.baseVal.value, height = svg.height.baseVal.value;
  const view = { x: 0, y: 0, scale: 1 };
  let chosen = null;

  // The view.
  const show = () => { picture.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`; };
  const middle = () => ({ x: stage.clientWidth / 2, y: stage.clientHeight / 2 });
  const limited = (scale) => Math.min(8, Math.max(0.02, scale));
  const zoom = (factor, about = middle()) => {
    const scale = limited(view.scale * factor);
    view.x = about.x - (about.x - view.x) * scale / view.scale;
    view.y = about.y - (about.y - view.y) * scale / view.scale;
    view.scale = scale;
    show();
  };
  const whole = () => {
    view.scale = limited(Math.min(1.25, stage.clientWidth / width, stage.clientHeight / height));
    view.x = (stage.clientWidth - width * view.scale) / 2;
    view.y = Math.max(0, (stage.clientHeight - height * view.scale) / 2);
    show();
  };
  const move = (x, y) => { view.x += x; view.y += y; show(); };
  const bring = (card) => {
    if (view.scale < 0.6) zoom(0.9 / view.scale);
    const outer = stage.getBoundingClientRect(), box = card.getBoundingClientRect();
    const inside = box.left >= outer.left && box.right <= outer.right && box.top >= outer.top && box.bottom <= outer.bottom;
    if (inside) return;
    const centre = middle();
    move(outer.left + centre.x - (box.left + Math.min(box.width, outer.width) / 2),
      outer.top + centre.y - (box.top + Math.min(box.height, outer.height) / 2));
  };

  // What a state says.
  const element = (name, text, place) => {
    const made = document.createElement(name);
    made.textContent = text;
    place.append(made);
    return made;
  };
  const highlighted = (text, place) => {
    const token = /("(?:[^"\\]|\\.)*")(\s*:)?/g;
    let end = 0;
    for (const match of text.matchAll(token)) {
      place.append(text.slice(end, match.index));
      element("span", match[1], place).className = match[2] ? "n" : "s";
      end = match.index + match[1].length;
    }
    place.append(text.slice(end));
  };
  const way = (label, all, end) => {
    if (all.length === 0) return;
    element("dt", label, at("ways"));
    const place = element("dd", "", at("ways"));
    all.forEach((edge, index) => {
      if (index > 0) place.append(", ");
      const state = states[edge[end]];
      if (edge[end] === "" || !state) {
        place.append(end === "to" ? "End" : "Start");
        return;
      }
      element("a", state.name, place).addEventListener("click", () => choose(+edge[end], true));
      if (edge.kind === "catch") place.append(" (on an error)");
    });
  };
  const light = (number) => {
    for (const trace of traces.values()) trace.classList.remove("lit");
    if (number === null) return;
    for (const edge of edges.filter((it) => it.from === `${number}` || it.to === `${number}`)) {
      edge.traces.forEach((it) => traces.get(it)?.classList.add("lit"));
      let last = traces.get(edge.traces.at(-1));
      for (let left = traces.size; last && last.dataset.onward && left > 0; left -= 1) {
        last = traces.get(last.dataset.onward);
        last?.classList.add("lit");
      }
    }
  };
  const choose = (number, comesIntoView) => {
    cards.get(chosen)?.classList.remove("chosen");
    chosen = number;
    light(number);
    at("state").hidden = number === null;
    for (const item of at("list").children) item.classList.toggle("chosen", +item.dataset.number === number && number !== null);
    if (number === null) return;
    const state = states[number], card = cards.get(number);
    card?.classList.add("chosen");
    if (card && comesIntoView) bring(card);
    at("name").textContent = state.name;
    const kind = [state.type, state.detail, state.visit, state.count && `${state.count}×`];
    at("kind").textContent = kind.filter(Boolean).join(" · ");
    at("comment").textContent = typeof state.comment === "string" ? state.comment : "";
    at("faults").replaceChildren();
    for (const fault of state.faults) element("li", fault, at("faults"));
    at("ways").replaceChildren();
    way("from", edges.filter((it) => it.to === `${number}`), "from");
    way("to", edges.filter((it) => it.from === `${number}`), "to");
    at("definition").replaceChildren();
    highlighted(state.definition ?? "", at("definition"));
    at("state").scrollTop = 0;
    try { history.replaceState(null, "", `#${encodeURIComponent(state.name)}`); } catch { /* a page without an address */ }
  };

  // Search.
  const most = 500;
  let found = [];
  const search = () => {
    const words = at("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (state) => `${state.name} ${state.type ?? ""} ${state.detail} ${state.comment ?? ""}`.toLowerCase();
    const matches = (state) => { const all = text(state); return words.every((word) => all.includes(word)); };
    found = states.map((_, number) => number).filter((number) => matches(states[number]));
    svg.classList.toggle("searching", words.length > 0);
    cards.forEach((card, number) => card.classList.remove("found"));
    if (words.length > 0) found.forEach((number) => cards.get(number)?.classList.add("found"));
    const all = states.filter((state) => state.mark !== "missing").length;
    const count = words.length > 0 ? `${found.length} of ${all}` : `${all}`;
    at("matches").textContent = `${count} state${all === 1 ? "" : "s"}${found.length > most ? `, the first ${most} of them:` : ""}`;
    at("list").replaceChildren();
    for (const number of found.slice(0, most)) {
      const item = element("li", "", at("list"));
      item.dataset.number = number;
      item.classList.toggle("wrong", states[number].mark !== null);
      item.classList.toggle("chosen", number === chosen);
      element("span", states[number].name, item);
      element("span", states[number].type ?? states[number].mark ?? "", item);
      item.addEventListener("click", () => choose(number, true));
    }
  };

  // Mouse, fingers and keys.
  const fingers = new Map();
  let pressed = null, moved = 0, apart = 0;
  const distance = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
  stage.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 2) apart = distance();
    pressed = event.target.closest?.("g.state[data-state]");
    moved = 0;
  });
  stage.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    const [x, y] = [event.clientX - finger.x, event.clientY - finger.y];
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved += Math.abs(x) + Math.abs(y);
    if (moved > 4 && !stage.hasPointerCapture(event.pointerId)) {
      stage.setPointerCapture(event.pointerId);
      stage.classList.add("moving");
    }
    if (fingers.size === 2) {
      const now = distance(), outer = stage.getBoundingClientRect();
      zoom(now / (apart || now), { x: event.clientX - outer.left, y: event.clientY - outer.top });
      apart = now;
    } else {
      move(x, y);
    }
  });
  const lift = (event) => {
    if (!fingers.delete(event.pointerId)) return;
    stage.classList.remove("moving");
    if (event.type === "pointerup" && moved <= 4) choose(pressed ? +pressed.dataset.state : null, false);
  };
  stage.addEventListener("pointerup", lift);
  stage.addEventListener("pointercancel", lift);
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    const outer = stage.getBoundingClientRect();
    const step = event.deltaMode === 1 ? 16 * event.deltaY : event.deltaY;
    if (event.shiftKey) return move(-step, 0);
    zoom(Math.exp(-step / 500), { x: event.clientX - outer.left, y: event.clientY - outer.top });
  }, { passive: false });
  const keys = {
    "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), "0": whole,
    ArrowLeft: () => move(60, 0), ArrowRight: () => move(-60, 0), ArrowUp: () => move(0, 60), ArrowDown: () => move(0, -60),
    "/": () => at("search").focus(), Escape: () => choose(null, false),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === at("search")) {
      if (event.key === "Escape") { at("search").value = ""; search(); stage.focus(); }
      if (event.key === "Enter" && found.length > 0) choose(found[(found.indexOf(chosen) + 1) % found.length], true);
      return;
    }
    const card = event.target.closest?.("g.state[data-state]");
    if (card && (event.key === "Enter" || event.key === " ")) choose(+card.dataset.state, false);
    else if (keys[event.key]) keys[event.key]();
    else return;
    event.preventDefault();
  });
  for (const [number, card] of cards) {
    card.setAttribute("tabindex", "0");
    card.setAttribute("role", "button");
    card.setAttribute("aria-label", states[number].name);
  }
  at("closer").addEventListener("click", () => zoom(1.25));
  at("farther").addEventListener("click", () => zoom(0.8));
  at("whole").addEventListener("click", whole);
  at("close").addEventListener("click", () => choose(null, false));
  at("search").addEventListener("input", search);
  addEventListener("resize", whole);
  search();
  whole();
  let asked = "";
  try { asked = decodeURIComponent(location.hash.slice(1)); } catch { /* no name of a state */ }
  const first = states.findIndex((state) => state.name === asked);
  if (asked && first >= 0) choose(first, true);
})();
