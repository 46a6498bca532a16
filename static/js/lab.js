// The player of the lab. The server has drawn a run whole, or draws it while it goes on; this only reveals it, up to a
// moment: a frame that ends there lies over each picture, and one grey rectangle stands for all who still wait (rows are in
// the order of their ends). So a run that is watched live, replayed, stepped through or scrubbed is one and the same thing.
"use strict";
{
  const run = document.getElementById("run");
  const player = document.getElementById("player");
  const stacks = [...document.querySelectorAll(".stack")].map(s => stackOf(s));
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  // What is shown of a run under way is as old as its last news may be: 150 ms, less at the beginning, when all wait.
  const shown = t => t - Math.min(Math.max(t / 2, 0), 150);

  function stackOf(root) {
    const numbers = name => (root.dataset[name] ?? "").split(" ").filter(Boolean).map(Number);
    return {
      root, from: Number(root.dataset.from), to: Number(root.dataset.to), end: Number(root.dataset.end), rows: Number(root.dataset.rows),
      ends: numbers("ends"), waits: numbers("waits"), lost: root.dataset.lost ?? "", queries: numbers("queries"), completed: numbers("completed"),
    };
  }

  const part = (s, name) => s.root.querySelector(`[data-part="${name}"]`);

  // upTo is how many of sorted figures are not beyond t.
  function upTo(figures, t) {
    let low = 0, high = figures.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (figures[middle] <= t) low = middle + 1; else high = middle;
    }
    return low;
  }

  // reveal shows a stack as it was at t.
  function reveal(s, t) {
    const share = Math.min(Math.max((t - s.from) / (s.to - s.from), 0), 1);
    const whole = t >= s.to || t >= s.end && !live;
    for (const frame of s.root.querySelectorAll("clipPath .frame")) frame.setAttribute("width", whole ? "100%" : `${100 * share}%`);
    for (const cursor of s.root.querySelectorAll(".cursor")) {
      cursor.setAttribute("visibility", whole ? "hidden" : "visible");
      cursor.setAttribute("x1", `${100 * share}%`);
      cursor.setAttribute("x2", `${100 * share}%`);
    }
    const still = s.root.querySelector(".still"), plane = still.closest(".plane"), row = Number(plane.dataset.row);
    const done = upTo(s.ends, t), begin = parseFloat(still.getAttribute("x"));
    still.setAttribute("y", row * done);
    still.setAttribute("height", whole || t < 0 ? 0 : row * (s.rows - done));
    still.setAttribute("width", `${Math.max(100 * share - begin, 0)}%`);
    return done;
  }

  // Counters of a finished run follow the moment; at its end they are what the server wrote.
  const written = new Map([...document.querySelectorAll(".lab-counters > div")].map(d => [d.id, [d.querySelector("dd").textContent, d.className]]));
  const format = ms => ms < 9.95 ? `${+ms.toFixed(1)} ms` : ms < 999.5 ? `${Math.round(ms)} ms` : `${+(ms / 1000).toFixed(ms < 9995 ? 2 : 1)} s`;

  function count(s, t, done) {
    const over = t >= s.end;
    const set = (id, value) => {
      const tile = document.getElementById(`count-${id}`);
      if (!tile) return;
      const [text, name] = written.get(tile.id);
      tile.querySelector("dd").textContent = over ? text : value;
      tile.className = over ? name : "";
    };
    const waits = s.waits.slice(0, done).sort((a, b) => a - b);
    const percentile = p => waits.length ? format(waits[Math.max(Math.ceil(waits.length * p / 100) - 1, 0)]) : "–";
    const lost = (s.lost.slice(0, done).match(/1/g) ?? []).length;
    const queries = upTo(s.queries, t);
    set("queries", queries);
    set("completed", upTo(s.completed, t));
    set("answered", done - lost);
    set("lost", lost);
    set("p50", percentile(50));
    set("p99", percentile(99));
  }

  // ---- the moment, and what moves it

  let live = run?.dataset.events !== undefined;
  let at = Infinity, speed = 1, playing = false, frame = 0, last = 0, even = false, offset = null; // offset: local clock at zero
  const longest = () => Math.max(...stacks.map(s => s.end));
  const first = () => Math.min(...stacks.map(s => s.from));

  function draw() {
    for (const s of stacks) {
      const done = reveal(s, at);
      if (!live && stacks.length === 1) count(s, at, done);
    }
    if (!player || live) return;
    const end = longest(), t = Math.min(at, end);
    player.querySelector("input").value = 1000 * (t - first()) / (end - first());
    player.querySelector(".lab-time").textContent = format(Math.max(t, 0));
    player.querySelector("[data-do=play]").textContent = playing ? "Pause" : "Play";
    player.querySelector(".lab-speed").textContent = `${speed}×`;
  }

  function tick(now) {
    frame = 0;
    if (live) {
      // Half of the frames will do, and once all have their answer, what the server tells: the processor is wanted elsewhere.
      even = !even;
      if (offset !== null && even && stacks[0].ends.length < stacks[0].rows) { at = shown(performance.now() - offset); draw(); }
    } else {
      at += (now - last) * speed;
      last = now;
      if (at >= longest()) { at = Infinity; playing = false; }
      draw();
    }
    if (live && offset !== null || playing) frame = requestAnimationFrame(tick);
  }

  function go() { if (!frame) { last = performance.now(); frame = requestAnimationFrame(tick); } }

  function seek(t) {
    at = Math.min(Math.max(t, first()), longest());
    if (at >= longest()) at = Infinity;
    draw();
  }

  const speeds = [0.1, 0.2, 0.5, 1, 2, 5, 10];
  const moments = () => stacks.flatMap(s => [...s.ends, ...s.queries]).sort((a, b) => a - b);
  const now = () => Math.min(at, longest());
  const deeds = {
    play() {
      playing = !playing;
      if (playing && at >= longest()) at = first();
      draw();
      if (playing) go();
    },
    back() { playing = false; seek(moments().findLast(m => m < now() - 0.01) ?? first()); },
    on() { playing = false; seek(moments().find(m => m > now() + 0.01) ?? longest()); },
    slower() { speed = speeds[Math.max(speeds.indexOf(speed) - 1, 0)]; draw(); },
    faster() { speed = speeds[Math.min(speeds.indexOf(speed) + 1, speeds.length - 1)]; draw(); },
  };
  const jump = share => { playing = false; seek(now() + share * (longest() - first())); };
  const keys = {
    " ": deeds.play, ",": deeds.back, ".": deeds.on, "-": deeds.slower, "+": deeds.faster, "=": deeds.faster,
    ArrowLeft: () => jump(-0.05), ArrowRight: () => jump(0.05),
    Home: () => { playing = false; seek(first()); }, End: () => { playing = false; seek(longest()); },
  };

  function ready() { // the finished run is here
    if (!player || !stacks.length) return;
    player.hidden = false;
    player.addEventListener("click", event => deeds[event.target.closest("[data-do]")?.dataset.do]?.());
    player.querySelector("input").addEventListener("input", event => {
      playing = false;
      seek(first() + event.target.value / 1000 * (longest() - first()));
    });
    document.addEventListener("keydown", event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest("select, textarea, input:not([type=range]), summary, a, .scroll") || event.key === " " && event.target.closest("button")) return;
      const deed = keys[event.key];
      if (!deed) return;
      event.preventDefault();
      deed();
    });
    for (const s of stacks) tell(s);
    draw();
  }

  // tell says the facts of one request in words: of the row under the pointer, or chosen with the arrow keys.
  function tell(s) {
    const facts = document.getElementById("facts");
    const figure = part(s, "requests"), bars = figure.querySelector(".bars"), plane = figure.querySelector(".plane");
    const row = Number(plane.dataset.row), chosen = figure.querySelector(".chosen");
    let index = -1;
    const choose = i => {
      index = Math.min(Math.max(i, 0), bars.children.length - 1);
      facts.textContent = bars.children[index]?.querySelector("title")?.textContent ?? "";
      chosen.setAttribute("y", row * index);
      chosen.setAttribute("height", Math.max(row, 2));
    };
    const svg = figure.querySelector("svg");
    svg.setAttribute("tabindex", "0");
    svg.addEventListener("pointermove", event => {
      const y = event.clientY - svg.getBoundingClientRect().top - Number(plane.dataset.top);
      if (y >= 0 && y < row * bars.children.length) choose(Math.floor(y / row));
    });
    svg.addEventListener("keydown", event => {
      const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
      if (!by) return;
      event.preventDefault();
      choose(index + by);
    });
  }

  // ---- a run under way

  // svgOf parses a piece of a picture.
  const svgOf = text => new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`, "image/svg+xml").documentElement.childNodes;

  function watch() {
    const s = stacks[0], step = document.getElementById("step");
    const source = new EventSource(run.dataset.events);
    let redrawn = 0;
    source.addEventListener("step", event => { step.textContent = `${JSON.parse(event.data)} …`; });
    source.addEventListener("update", event => {
      const u = JSON.parse(event.data);
      step.textContent = "";
      if (u.from > s.ends.length) { location.reload(); return; } // something was missed
      if (u.from === s.ends.length) {
        const requests = part(s, "requests");
        requests.querySelector(".bars").append(...svgOf(u.bars));
        requests.querySelector(".segments").append(...svgOf(u.segments));
        requests.querySelector(".marks").replaceChildren(...svgOf(u.marks));
        s.ends.push(...u.ends);
      }
      if (performance.now() - redrawn > 200) {
        redrawn = performance.now();
        for (const name of ["leases", "queue", "lanes"]) {
          const template = document.createElement("template");
          template.innerHTML = u[name];
          part(s, name).replaceWith(template.content);
        }
      }
      for (const c of u.counters) {
        const tile = document.getElementById(`count-${c.id}`);
        tile.querySelector("dd").textContent = c.value;
        tile.querySelector("dt").textContent = c.name;
        tile.classList.toggle("bad", c.bad);
      }
      const zero = performance.now() - u.now;
      offset = offset === null ? zero : Math.min(offset, zero); // the message that was quickest knows best
      if (!calm) go();
      if (calm || s.ends.length === s.rows) { at = u.now; draw(); }
    });
    source.addEventListener("over", () => {
      source.close();
      // The whole run, on an axis that fits it.
      if (location.pathname === run.dataset.url) location.reload(); else location.replace(run.dataset.url);
    });
  }

  if (live && stacks.length) { at = -Infinity; draw(); watch(); } else ready();
  if (document.getElementById("waiting")) setTimeout(() => location.reload(), 2000);

  const herd = document.querySelector("#herd [name=herd]");
  herd?.addEventListener("input", () => { document.querySelector("[name=herd-said]").value = herd.value; });
}
