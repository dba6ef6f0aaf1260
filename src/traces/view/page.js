// What the page does: it shows one run at a time, at one event.
//
// All text comes into the page as text, never as markup.

const $ = (id) => document.getElementById(id);

/** Makes an element with these properties and children. */
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.flat(Infinity).filter((child) => child ?? false));
  return element;
}

/** How many of a list are shown. */
const SHOWN = 48;
/** How many of one are shown with their functions. */
const NAMED = 4;

class Page {
  constructor(data) {
    this.data = data;
    this.runs = [];
    this.theme(localTheme());
    document.title = `${data.title} · gosched trace`;
    $("title").textContent = data.title;
    this.listen();
  }

  /** Shows the run of this number, at the event that was current in it. */
  async open(number) {
    const { data } = this;
    this.number = number;
    const run = (this.runs[number] ??= await Run.read(data.runs[number], data));
    this.run = run;
    const before = this.drawing?.by;
    if (!run.drawing) {
      run.drawing = new Drawing(run, $("canvas"));
      run.drawing.cursor = run.decisions[0] ?? 0;
      // Where time stands still while goroutines run, it shows nothing.
      if (isStill(run)) run.drawing.axis("decision");
    }
    this.drawing = run.drawing;
    if (before && before !== this.drawing.by) this.drawing.axis(before);
    const { head } = run;
    const without = (head.without ?? []).join(", ");
    const facts = [
      data.card ? run.name : null,
      many(run.length, "event"), many(run.decisions.length, "decision"),
      run.head.steered ? `${many(run.switches.length, "switch", "es")} of its schedule` : null,
      many(run.lanes.gs.size, "goroutine"),
      run.length ? time(run.ns.at(-1) - run.ns[0]) : null,
      head.gomaxprocs ? `GOMAXPROCS ${head.gomaxprocs}` : null,
      without ? `without ${without}` : null, head.gosched ? `gosched ${head.gosched}` : null,
    ];
    $("facts").textContent = facts.filter(Boolean).join(" · ");
    $("notes").textContent = run.notes.join(" ");
    $("slider").max = Math.max(0, run.length - 1);
    document.querySelectorAll(".run").forEach((button, k) => {
      button.setAttribute("aria-pressed", k === number);
    });
    this.press();
    this.resize();
    this.find($("search").value, false);
    this.go(this.drawing.cursor);
  }

  // ---- where one is -----------------------------------------------------------------------------

  /** Makes event `i` the current one. */
  go(i, chosen) {
    const { run, drawing } = this;
    if (!run.length) return this.empty();
    drawing.cursor = Math.min(Math.max(i, 0), run.length - 1);
    if (chosen !== undefined) drawing.chosen = chosen;
    drawing.reveal();
    // The lanes first: they ask for sizes, which what is told changes.
    this.draw();
    this.tell();
    $("slider").value = drawing.cursor;
  }

  empty() {
    $("when").textContent = "There is no event.";
    this.draw();
  }

  draw() {
    const tall = `${Math.max(this.drawing.tall, this.drawing.height)}px`;
    if ($("tall").style.height !== tall) $("tall").style.height = tall;
    this.drawing.top = $("scroll").scrollTop;
    this.drawing.draw();
    this.drawing.drawOverview($("overview"));
  }

  /** Draws once before the next picture, however often it is asked. */
  later() {
    this.waits ??= requestAnimationFrame(() => {
      this.waits = undefined;
      this.draw();
    });
  }

  resize() {
    const { drawing } = this;
    drawing.width = $("scroll").clientWidth;
    drawing.height = $("scroll").clientHeight;
    this.draw();
  }

  /** Goes to the event with this number; what is in the queues behind it, as `gosched trace queues
   * --json` tells it. */
  at(seq) {
    this.go(seq - this.run.first);
    return this.run.states.behind(this.drawing.cursor).json(this.seq(this.drawing.cursor));
  }

  /** Chooses a goroutine, or none, and brings its lane into sight. */
  choose(g) {
    const { drawing } = this;
    drawing.chosen = drawing.chosen === g ? 0 : g;
    if (drawing.chosen) this.sight(`g${g}`);
    this.tell();
    this.draw();
  }

  sight(name) {
    const row = this.drawing.rowOf.get(name);
    const scroll = $("scroll");
    if (!row) return;
    const [top, height] = [scroll.scrollTop, scroll.clientHeight];
    const isSeen = row.y >= top + this.drawing.pinned && row.y + row.height <= top + height;
    if (!isSeen) scroll.scrollTop = row.y - height / 2;
  }

  /** Goes to this event, if there is one. */
  jumpTo(i) {
    if (i !== undefined) this.go(i);
  }

  decision(by) {
    const { run, drawing } = this;
    const now = run.decision(drawing.cursor);
    const isThere = run.decisions[now] === drawing.cursor;
    const to = run.decisions[by < 0 && !isThere ? now : now + by];
    if (to !== undefined) this.go(to);
  }

  // ---- the panel --------------------------------------------------------------------------------

  /** A goroutine that can be clicked. */
  chip(g, isShort = false) {
    const { drawing } = this;
    const letter = make("i", { textContent: drawing.letter(g) });
    drawing.inks ??= inks();
    letter.style.background = drawing.color(g);
    const name = drawing.name(g);
    const chip = make("button", { className: "g", title: `${name}: its lane` }, letter,
      isShort ? `g${g}` : name);
    chip.dataset.g = g;
    chip.classList.toggle("is-chosen", g === drawing.chosen);
    chip.onclick = () => this.choose(g);
    return chip;
  }

  chips(all) {
    if (!all.length) return [make("span", { className: "none", textContent: "nothing" })];
    const shown = all.slice(0, SHOWN).map((g) => this.chip(g, all.length > NAMED));
    const more = all.length - shown.length;
    return more > 0 ? [...shown, make("span", { textContent: `and ${more} more` })] : shown;
  }

  jump(i, text, className = "link") {
    const button = make("button", { className, textContent: text, title: `Event ${this.seq(i)}` });
    button.onclick = () => {
      this.sight(`g${this.run.g[i]}`);
      this.go(i);
    };
    return button;
  }

  sentence(parts) {
    return parts.map((part) => {
      if (typeof part === "string") return part;
      return part.g !== undefined ? this.chip(part.g) : this.jump(part.at, part.text);
    });
  }

  seq(i) {
    return this.run.first + i;
  }

  tell() {
    const { run, drawing } = this;
    const i = drawing.cursor;
    const state = run.states.behind(i);
    const decision = run.decision(i) + 1;
    $("when").textContent = `Event ${this.seq(i)} · ${timeAt(run.ns[i], 10)} · `
      + (decision ? `decision ${decision} of ${run.decisions.length}` : "before any decision");
    $("what").replaceChildren(...this.sentence(says(run, i, state)));
    $("why").replaceChildren(
      ...reasons(run, i).map((parts) => make("p", {}, this.sentence(parts))));
    $("links").replaceChildren(...this.links(i));
    this.tellRaw(i);
    $("queues").replaceChildren(...this.tellQueues(state));
    $("waits").replaceChildren(...this.tellWaits(state));
    this.tellOne(state);
  }

  /** Where one can go from an event. */
  links(i) {
    const { run } = this;
    const all = [];
    const link = (to, text) => to >= 0 && all.push(this.jump(to, text, ""));
    if (run.cause[i] >= 0) {
      link(run.cause[i], run.event(run.cause[i]) === "create" ? "← was made" : "← was woken");
    }
    if (run.effect[i] >= 0) link(run.effect[i], "begins to run →");
    link(run.before[i], `← g${run.g[i]} before`);
    link(run.after[i], `g${run.g[i]} next →`);
    return all;
  }

  tellRaw(i) {
    const { run } = this;
    const rows = [["event", run.event(i)], ["m, p, g", `${run.m[i]}, ${run.p[i]}, ${run.g[i]}`]];
    run.operands(i).forEach(({ name, shown }) => rows.push([name, shown]));
    $("raw").querySelector("table").replaceChildren(...rows.map(([name, value]) =>
      make("tr", {}, make("th", { textContent: name }), make("td", { textContent: value }))));
  }

  tellQueues(state) {
    const line = (name, all, of = name.split(" ")[0]) => {
      const row = make("div", {}, all);
      row.dataset.list = of;
      return [make("span", { textContent: name }), row];
    };
    const isEmpty = (p) => !p.g && !p.runnext.length && !p.ring.length;
    const blocks = state.processors().map(([id, p]) => {
      const rows = isEmpty(p) ? [make("b", {}, `P${id}`, make("small", {
        className: "none", textContent: " is idle, and has nothing in its queues",
      }))] : [
        make("b", {}, `P${id}`, p.g ? `, held by thread M${p.m}` : " runs nothing"),
        line("runs", this.chips(p.g ? [p.g] : [])),
        line("runnext", this.chips(p.runnext.slice(-1))),
        line(`ring ${p.ring.length || ""}`, this.chips(p.ring)),
      ];
      const block = make("div", { className: "p" }, rows);
      block.dataset.p = id;
      return block;
    });
    const threads = (flag) => state.those(flag).map((m) => `M${m}`).join(" ") || "no thread";
    const rest = [["global", state.global]];
    for (const place of ["aside", "wired", "offered"]) {
      const there = state.placed(place);
      if (there.length) rest.push([place, there]);
    }
    blocks.push(make("div", { className: "p" }, make("b", { textContent: "For all Ps" }),
      rest.flatMap(([name, all]) => line(`${name} ${all.length || ""}`, this.chips(all))),
      line("search", threads(4)), line("sleep", threads(2))));
    return blocks;
  }

  /** Objects with those who wait on them, and then reasons that are about none. */
  tellWaits(state) {
    const groups = new Map();
    for (const id of state.placed("waiting")) {
      const g = state.gs.get(id);
      const keys = g.on.length ? g.on.map((o) => `#${o.object}`) : [g.reason || "the runtime"];
      for (const key of new Set(keys)) {
        if (!groups.has(key)) groups.set(key, []);
        groups.get(key).push(id);
      }
    }
    const block = ([key, all]) => {
      const id = Number(key.slice(1));
      const object = key.startsWith("#") ? state.objects.get(id) : undefined;
      const dirOf = (g) => state.gs.get(g)?.on.find((o) => o.object === id)?.dir;
      const line = object?.waiters.length ? object.waiters : all;
      const cap = object?.kind === "chan" ? `, capacity ${object.cap}` : "";
      const head = make("b", {}, object ? `${kindOf(object)} ${id}` : key,
        make("small", { textContent: cap }));
      const chips = line.slice(0, SHOWN).flatMap((g) => {
        const dir = dirOf(g);
        return [this.chip(g, line.length > NAMED), dir && dir !== "none" ? `to ${dir}` : null];
      });
      const more = line.length - SHOWN;
      const held = object?.holders.length ? ["held by", ...this.chips(object.holders)] : [];
      return make("div", { className: "wait" }, head, chips,
        more > 0 ? `and ${more} more` : null, held);
    };
    // Where goroutines of the program wait comes first.
    const users = (all) => all.filter((g) => !state.gs.get(g).system).length;
    const all = [...groups].map(([key, all]) => [key, all, users(all)]);
    all.sort((a, b) => b[2] - a[2]);
    const shown = all.slice(0, SHOWN).map(block);
    const round = circle(state);
    if (round.length) shown.unshift(this.tellCircle(round));
    if (all.length > SHOWN) shown.push(make("p", {}, `and ${all.length - SHOWN} more`));
    return shown.length ? shown : [make("span", { className: "none", textContent: "Nobody." })];
  }

  /** A deadlock. */
  tellCircle(round) {
    const steps = round.map(({ g, object, kind }, k) => [
      this.chip(g), ` waits for ${kind} ${object}, which `,
      this.chip(round[(k + 1) % round.length].g),
      k + 1 < round.length ? " holds; " : " holds.",
    ]);
    return make("p", { className: "circle" }, make("b", {}, "A circle: "), steps,
      " None of them can go on.");
  }

  tellOne(state) {
    const { run, drawing } = this;
    const g = drawing.chosen;
    $("one").hidden = !g;
    if (!g) return;
    const now = state.gs.get(g);
    const made = run.stacks[now?.made ?? 0]?.[0];
    const rows = [
      ["is", now ? (now.is === "waiting" ? `waiting: ${now.reason}` : now.is) : "not there"],
      ["made at", made ? `${made.file.split("/").pop()}:${made.line}` : "not known"],
      ["ran", `${time(run.lanes.ran.get(g) ?? 0)} in all`],
    ];
    $("one").lastElementChild.replaceChildren(this.chip(g), make("table", {}, rows.map(
      ([name, value]) => make("tr", {}, make("th", { textContent: name }),
        make("td", { textContent: value })))));
  }

  // ---- finding ----------------------------------------------------------------------------------

  find(text, isMoving = true) {
    const { run, drawing } = this;
    const wanted = text.trim().toLowerCase();
    const isMatch = (g) => /^g?\d+$/.test(wanted)
      ? `g${g}` === `g${wanted.replace("g", "")}`
      : drawing.name(g).toLowerCase().includes(wanted);
    const all = wanted ? [...run.lanes.gs.keys()].filter(isMatch) : [];
    drawing.matches = wanted ? new Set(all) : null;
    $("found").textContent = wanted ? `${all.length} found` : "";
    if (isMoving) {
      drawing.chosen = 0;
      if (all.length && all.every((g) => run.lanes.systems.has(g))) {
        this.toggle("The runtime's own", false);
      }
      if (all.length) this.sight(`g${all[0]}`);
      if (run.length) this.tell();
    }
    this.later();
  }

  /** The next of those found. */
  findNext(by) {
    const all = [...(this.drawing.matches ?? [])];
    if (!all.length) return;
    const at = all.indexOf(this.drawing.chosen);
    const g = all[(at + by + all.length) % all.length];
    this.drawing.chosen = 0;
    this.choose(g);
  }

  toggle(title, isClosed = !this.drawing.closed.has(title)) {
    const { drawing } = this;
    if (isClosed) drawing.closed.add(title);
    else drawing.closed.delete(title);
    drawing.arrange();
    this.later();
  }

  // ---- the controls -----------------------------------------------------------------------------

  theme(name) {
    document.documentElement.dataset.theme = name;
    if (this.drawing) {
      this.tell();
      this.draw();
      this.drawCards();
    }
  }

  press() {
    for (const by of ["time", "decision"]) {
      $(`by-${by}`).setAttribute("aria-pressed", this.drawing.by === by);
    }
  }

  axis(by) {
    this.drawing.axis(by);
    this.drawing.reveal();
    this.press();
    this.draw();
  }

  zoom(times, around) {
    this.drawing.zoom(times, around);
    this.later();
  }

  fit() {
    this.drawing.show(this.drawing.first, this.drawing.last);
    this.later();
  }

  listen() {
    const click = (id, act) => ($(id).onclick = act);
    click("by-time", () => this.axis("time"));
    click("by-decision", () => this.axis("decision"));
    click("in", () => this.zoom(0.5));
    click("out", () => this.zoom(2));
    click("fit", () => this.fit());
    click("theme", () => this.flip());
    click("help", () => $("keys").showModal());
    click("back", () => this.go(this.drawing.cursor - 1));
    click("on", () => this.go(this.drawing.cursor + 1));
    click("decision-back", () => this.decision(-1));
    click("decision-on", () => this.decision(1));
    $("slider").oninput = () => this.go(Number($("slider").value));
    $("search").oninput = () => this.find($("search").value);
    $("search").onkeydown = (e) => {
      if (e.key === "Enter") this.findNext(e.shiftKey ? -1 : 1);
      if (e.key === "Escape") $("canvas").focus();
    };
    $("scroll").onscroll = () => this.later();
    new ResizeObserver(() => {
      if (!this.drawing) return;
      this.resize();
      this.drawCards();
    }).observe($("scroll"));
    window.onkeydown = (e) => this.key(e);
    matchMedia("(prefers-color-scheme: dark)").onchange = () => this.theme(localTheme());
    this.listenToCanvas();
    this.listenToOverview();
  }

  flip() {
    this.theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  }

  key(e) {
    if (e.target.tagName === "INPUT" && e.target.type === "search") return;
    if (e.ctrlKey || e.metaKey || e.altKey || $("keys").open) return;
    const { drawing, run } = this;
    if (!drawing) return;
    const i = drawing.cursor;
    const size = drawing.to - drawing.from;
    const keys = {
      ArrowRight: () => (e.shiftKey ? this.decision(1) : this.go(i + 1)),
      ArrowLeft: () => (e.shiftKey ? this.decision(-1) : this.go(i - 1)),
      ArrowDown: () => this.near(1),
      ArrowUp: () => this.near(-1),
      Home: () => this.go(0),
      End: () => this.go(run.length - 1),
      "+": () => this.zoom(0.5),
      "=": () => this.zoom(0.5),
      "-": () => this.zoom(2),
      0: () => this.fit(),
      "[": () => [drawing.pan(-size / 4), this.later()],
      "]": () => [drawing.pan(size / 4), this.later()],
      ",": () => this.jumpTo(run.switches.findLast((at) => at < i)),
      ".": () => this.jumpTo(run.switches.find((at) => at > i)),
      n: () => run.after[i] >= 0 && this.go(run.after[i]),
      p: () => run.before[i] >= 0 && this.go(run.before[i]),
      w: () => run.cause[i] >= 0 && this.go(run.cause[i]),
      s: () => run.effect[i] >= 0 && this.go(run.effect[i]),
      t: () => this.axis(drawing.by === "time" ? "decision" : "time"),
      d: () => this.flip(),
      x: () => this.data.runs.length > 1 && this.open((this.number + 1) % this.data.runs.length),
      "/": () => $("search").focus(),
      "?": () => $("keys").showModal(),
      Escape: () => this.choose(drawing.chosen),
    };
    if (!keys[e.key]) return;
    e.preventDefault();
    keys[e.key]();
  }

  /** Chooses the lane above or below. */
  near(by) {
    const all = this.drawing.rows.filter((row) => row.kind === "g");
    const at = all.findIndex((row) => row.lane.id === this.drawing.chosen);
    const row = at < 0 ? all[0] : all[at + by];
    if (row) this.choose(row.lane.id);
  }

  listenToCanvas() {
    const canvas = $("canvas");
    let drag = null;
    canvas.onpointerdown = (e) => {
      drag = { x: e.offsetX, from: this.drawing.from, to: this.drawing.to, hasMoved: false };
      canvas.setPointerCapture(e.pointerId);
    };
    canvas.onpointermove = (e) => {
      if (!drag) return this.tip(e);
      const by = (drag.x - e.offsetX) / this.drawing.scale;
      if (Math.abs(drag.x - e.offsetX) > 3) drag.hasMoved = true;
      if (!drag.hasMoved) return;
      $("tip").hidden = true;
      this.drawing.show(drag.from + by, drag.to + by);
      this.later();
    };
    canvas.onpointerup = (e) => {
      if (drag && !drag.hasMoved) this.click(e.offsetX, e.offsetY);
      drag = null;
    };
    canvas.onpointerleave = () => ($("tip").hidden = true);
    canvas.addEventListener("wheel", (e) => {
      const { drawing } = this;
      if (e.ctrlKey) {
        e.preventDefault();
        this.zoom(1.0015 ** e.deltaY, drawing.value(e.offsetX));
      } else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
        e.preventDefault();
        drawing.pan((e.deltaX || e.deltaY) / drawing.scale);
        this.later();
      }
    }, { passive: false });
    canvas.ondblclick = (e) => this.zoom(0.4, this.drawing.value(e.offsetX));
  }

  click(x, y) {
    const { row, event, k } = this.drawing.hit(x, y);
    if (!row) return;
    if (row.title) return this.toggle(row.title);
    const { lane, kind } = row;
    if (event === undefined) {
      if (kind === "g") this.choose(lane.id);
      return;
    }
    const isRun = k !== undefined && ["runs", "call"].includes(lane.does[k]);
    const g = kind === "g" ? lane.id : isRun ? lane.of[k] : 0;
    this.sight(`g${g}`);
    this.go(k !== undefined && lane.does[k] ? lane.at[k] : event, g);
  }

  tip(e) {
    const { drawing, run } = this;
    const { row, k } = drawing.hit(e.offsetX, e.offsetY);
    const tip = $("tip");
    tip.hidden = k === undefined || !row.lane.does[k];
    if (tip.hidden) return;
    const { lane, kind } = row;
    const [from, to] = [lane.at[k], lane.at[k + 1] ?? run.length - 1];
    const who = kind === "g" ? drawing.name(lane.id)
      : `${kind.toUpperCase()}${lane.id}${lane.of[k] ? `: ${drawing.name(lane.of[k])}` : ""}`;
    const words = {
      runs: "runs", runnable: `can run, and waits for its turn (${lane.of[k]})`, waits: "waits",
      call: "is in a system call", searches: "searches for work", sleeps: "sleeps",
      awake: "is awake",
    };
    const does = lane.does[k];
    const isPark = does === "waits" && run.event(from) === "park";
    const why = isPark ? `: ${run.word(from, "reason")}` : "";
    const long = time(run.byTime[to] - run.byTime[Math.min(from, to)]);
    tip.textContent = `${who} ${words[does]}${why}, ${long}`;
    tip.style.left = `${Math.min(e.clientX + 14, innerWidth - 300)}px`;
    tip.style.top = `${e.clientY + 16}px`;
  }

  listenToOverview() {
    const overview = $("overview");
    const move = (e) => {
      const { drawing } = this;
      const width = drawing.width - drawing.left - 8;
      const part = (e.offsetX - drawing.left) / width;
      const x = drawing.first + part * (drawing.last - drawing.first);
      const half = (drawing.to - drawing.from) / 2;
      drawing.show(x - half, x + half);
      this.later();
    };
    overview.onpointerdown = (e) => {
      overview.setPointerCapture(e.pointerId);
      overview.onpointermove = move;
      move(e);
    };
    overview.onpointerup = () => (overview.onpointermove = null);
  }

  // ---- the laboratory ---------------------------------------------------------------------------

  /** What stands above the runs of an experiment. */
  async cards() {
    const { card, runs } = this.data;
    document.body.classList.toggle("is-plain", !runs.length);
    if (!runs.length) {
      $("notes").textContent = "The runs are not traced: that would change what is counted.";
    }
    if (!card) return;
    const all = card.runs.map((of, k) => {
      const verdict = of.good === undefined ? null
        : make("span", { className: of.good ? "good" : "bad",
          textContent: of.good ? "as it is to be" : "NOT as it is to be" });
      const button = make("button", { className: "run" }, make("b", { textContent: of.name }),
        make("strong", { textContent: of.figure }), make("small", {}, of.note, " "), verdict,
        runs[k] ? make("canvas", { height: 60 }) : null);
      button.onclick = () => runs[k] && this.open(k);
      return button;
    });
    const program = card.program
      ? make("details", {}, make("summary", { textContent: card.file }),
        make("pre", { textContent: card.program }))
      : null;
    $("card").append(
      make("h1", { textContent: card.title }), make("p", { textContent: card.about }),
      card.unit ? make("small", { textContent: `What is counted: ${card.unit}` }) : "",
      make("div", { className: "both" }, all),
      ...(card.why.length ? [make("p", { textContent: card.why.join(" ") })] : []),
      ...(card.next ? [make("p", { textContent: `Next: ${card.next}` })] : []),
      program ?? "");
    $("card").hidden = false;
    for (let k = 0; k < runs.length; k++) {
      this.runs[k] ??= await Run.read(runs[k], this.data);
    }
    this.drawCards();
  }

  drawCards() {
    document.querySelectorAll(".run canvas").forEach((canvas, k) => {
      const run = this.runs[k];
      if (!run) return;
      run.small ??= new Drawing(run, canvas, true);
      run.small.width = canvas.parentElement.clientWidth - 26;
      run.small.height = Math.min(run.small.tall, 4 * ROW);
      run.small.draw();
    });
  }
}

function localTheme() {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

// ---- signs and keys -----------------------------------------------------------------------------

function legend() {
  const sign = (style, text) => {
    const mark = make("i");
    mark.style.cssText = style;
    return make("span", {}, mark, text);
  };
  const stripes = `repeating-linear-gradient(135deg,${RUNNABLE} 0 2px,transparent 2px 5px)`;
  $("legend").append(
    sign(`background:linear-gradient(90deg,${COLORS.slice(0, 3).map((c, i) =>
      `${c} ${i * 33}% ${(i + 1) * 33}%`).join(",")})`,
    "runs (each goroutine has a color and a letter)"),
    sign(`background:${stripes};height:8px`, "could run, and others do"),
    sign("border-top:1px solid var(--muted);height:1px", "waits"),
    sign(`border:solid ${COLORS[0]};border-width:2px 0;height:12px`, "system call"),
    sign("background:repeating-linear-gradient(135deg,var(--muted) 0 1px,transparent 1px 4px)",
      "searches for work"),
    make("span", {}, "▲ a switch of a steered run"));
}

function keys() {
  const rows = [
    ["← →", "the event before, the next"], ["Shift ← →", "the decision before, the next"],
    ["↑ ↓", "the goroutine above, below"],
    [", .", "the switch of a steered run before, the next"],
    ["n p", "the next event of the same goroutine; the one before"],
    ["w", "what woke or made the goroutine that starts here"],
    ["s", "where the goroutine that is woken here starts"],
    ["+ −", "larger, smaller"], ["0", "all"], ["[ ]", "move to the left, to the right"],
    ["t", "columns are time, or decisions"], ["/", "find a function, or g7; Enter: the next one"],
    ["d", "light or dark"], ["x", "the other run"], ["Home End", "the first event, the last"],
    ["Esc", "no goroutine is chosen"], ["?", "this"],
  ];
  const close = make("button", { textContent: "Close" });
  close.onclick = () => $("keys").close();
  $("keys").append(
    make("b", { textContent: "How to read it" }),
    make("p", {}, "A goroutine (G) runs on a thread (M) that holds a processor (P). Each P has a "
      + "ring of goroutines that could run, and runnext, a slot for one that goes before them; one "
      + "global queue is for all. The scheduler decides who is next: a click on a slice tells by "
      + "which rule. With the axis “Decisions” each decision is as wide as the next, "
      + "however short it lasted."),
    make("table", {}, rows.map(([key, what]) => make("tr", {},
      make("td", {}, key.split(" ").map((k) => [make("kbd", { textContent: k }), " "])),
      make("td", { textContent: what })))),
    make("p", {}, "Drag the lanes to move, Ctrl and the wheel to zoom, click a heading to fold."),
    close);
}

// ---- the beginning ------------------------------------------------------------------------------

/** What the part of the address behind `#` asks for: names with values. */
function wishes() {
  return new URLSearchParams(location.hash.slice(1));
}

/** Does what the address asks for. */
function grant(page, wish) {
  if (wish.has("by")) page.axis(wish.get("by"));
  if (wish.has("for") && wish.has("from")) {
    const from = Number(wish.get("from"));
    page.drawing.show(from, from + Number(wish.get("for")));
    page.draw();
  }
  if (wish.has("event")) page.go(Number(wish.get("event")) - page.run.first);
  if (wish.has("g")) page.choose(Number(wish.get("g")));
}

async function begin() {
  const page = new Page(JSON.parse($("data").textContent));
  // For the console, and for tests.
  globalThis.page = page;
  const wish = wishes();
  legend();
  keys();
  if (wish.has("theme")) page.theme(wish.get("theme"));
  await page.cards();
  if (page.data.runs.length) {
    await page.open(Math.min(Number(wish.get("run") ?? 0), page.data.runs.length - 1));
    grant(page, wish);
  }
  page.painted = performance.now();
  await Promise.all(page.runs.map((run) => run.states.prepare()));
  document.documentElement.dataset.ready = "yes";
}

begin().catch((error) => {
  $("notes").textContent = `The page cannot be shown: ${error.message}`;
  document.documentElement.dataset.ready = "no";
});
