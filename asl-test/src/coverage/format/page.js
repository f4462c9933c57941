"use strict";
// Lights up the way of the test that is chosen: states, lines between them, lines of the source.
for (const file of document.querySelectorAll(".file")) {
  const { points, ways } = JSON.parse(file.querySelector(".data").textContent);
  const states = new Map(), edges = new Map(), traces = new Map();
  for (const state of file.querySelectorAll("[data-state]")) states.set(Number(state.dataset.state), state);
  for (const edge of file.querySelectorAll(".edge")) {
    const { from, to, kind, traces: list } = edge.dataset;
    edges.set(`${from},${to},${kind}`, list.split(" ").filter(Boolean));
  }
  for (const trace of file.querySelectorAll("[data-trace]")) traces.set(trace.dataset.trace, trace);
  const rows = [...file.querySelectorAll("tr[data-points]")].map(row => ({
    row, cell: row.cells[1], text: row.cells[1].textContent, points: row.dataset.points.split(" ").map(Number),
  }));
  const badges = points.flatMap(([kind, state], point) => {
    const children = kind === "states" ? [...states.get(state)?.children ?? []] : [];
    const badge = children.find(child => child.classList.contains("count-text"));
    return badge ? [{ badge, point, text: badge.textContent }] : [];
  });
  const words = file.querySelector("p.way");

  const lightEdge = (from, to, kind) => {
    const list = edges.get(`${from ?? ""},${to ?? ""},${kind}`) ?? [];
    for (const number of list) traces.get(number)?.classList.add("lit");
    // Where ways run together the rest is the other one's.
    let trace = traces.get(list.at(-1));
    while ((trace = traces.get(trace?.dataset.onward)) && !trace.classList.contains("lit")) trace.classList.add("lit");
  };
  const lightPoint = ([kind, state, next], goesOn) => {
    if (kind === "states") {
      states.get(state)?.classList.add("lit");
      lightEdge(null, state, "next");
      if (!goesOn.has(state)) lightEdge(state, null, "next");
    }
    else if (kind === "transitions" || kind === "choices") lightEdge(state, next, "next");
    else if (kind === "catchers") lightEdge(state, next, "catch");
  };
  const goesOn = new Set(points.filter(([kind]) => kind === "transitions").map(([, state]) => state));

  const choose = index => {
    const way = ways[index];
    file.classList.toggle("shows-way", Boolean(way));
    for (const lit of file.querySelectorAll(".lit[data-state], .trace.lit, tr.lit")) lit.classList.remove("lit");
    const counts = new Map(way?.counts);
    for (const point of counts.keys()) lightPoint(points[point], goesOn);
    for (const { row, cell, text, points } of rows) {
      const count = Math.max(0, ...points.map(point => counts.get(point) ?? 0));
      row.classList.toggle("lit", count > 0);
      cell.textContent = !way ? text : count ? `${count}×` : "";
    }
    for (const { badge, point, text } of badges) badge.textContent = way ? `${counts.get(point) ?? 0}×` : text;
    words.textContent = way ? `${counts.size} of ${points.length} places. ${way.path}` : "";
  };
  file.addEventListener("change", event => {
    if (event.target.type === "radio") choose(Number(event.target.value));
  });
  // A browser may remember what was chosen before a page was loaded again.
  choose(Number(file.querySelector("input:checked")?.value ?? -1));
}
