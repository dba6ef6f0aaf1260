// The lanes, drawn: only what can be seen.

/** Okabe and Ito's colors, which are told apart by those who see red and green alike. */
const COLORS = ["#56b4e9", "#f0e442", "#009e73", "#cc79a7", "#e69f00", "#4a8fd9"];
/** Kept for those who could run while others do. */
const RUNNABLE = "#d55e00";
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LABELS = 204;
const ROW = 22;
const HEAD = 26;
const OVERVIEW = 64;
/** So many Ps stay in sight, whatever goroutines are looked at. */
const PINNED = 12;
/** More events than these in sight, and only the wake-ups of the current one are drawn. */
const LINKED = 300;

/** In which queue a goroutine waits for its turn. */
const WAITS_IN = {
  runnext: "waits for its turn, in runnext", ring: "waits for its turn, on a ring",
  global: "waits for its turn, on the global queue", aside: "is kept back",
  wired: "waits for its thread", offered: "waits to be chosen",
};

const FONT = "12px system-ui, sans-serif";
const SMALL = "10.5px system-ui, sans-serif";

/** The colors of the page, which depend on light and dark. */
function inks() {
  const style = getComputedStyle(document.documentElement);
  const ink = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    back: ink("back"), ink: ink("ink"), muted: ink("muted"), line: ink("line"),
    stripe: ink("stripe"), cursor: ink("cursor"),
  };
}

/** Makes a canvas as sharp as the screen, and gives what draws on it. */
function sharp(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    Object.assign(canvas, { width: w, height: h });
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  }
  const ink = canvas.getContext("2d");
  ink.setTransform(ratio, 0, 0, ratio, 0, 0);
  return ink;
}

/** A picture of that size, which is drawn again when what it `depends` on has changed. */
function kept(before, width, height, depends, draw) {
  const key = JSON.stringify([width, height, window.devicePixelRatio, depends]);
  if (before?.key === key) return before;
  const canvas = before?.canvas ?? document.createElement("canvas");
  draw(sharp(canvas, width, height));
  return { key, canvas };
}

/** Stripes from the lower left to the upper right. */
function hatch(ink, color, back) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const on = tile.getContext("2d");
  on.fillStyle = back;
  on.fillRect(0, 0, 6, 6);
  on.strokeStyle = color;
  on.lineWidth = 1.8;
  on.beginPath();
  for (const at of [-6, 0, 6]) {
    on.moveTo(at - 1, 7);
    on.lineTo(at + 7, -1);
  }
  on.stroke();
  return ink.createPattern(tile, "repeat");
}

/** A round step near `size`. */
function round(size) {
  const power = 10 ** Math.floor(Math.log10(size));
  return [1, 2, 5, 10].find((n) => n * power >= size) * power;
}

class Drawing {
  /** `isSmall`: only the lanes of the Ps, and nothing that can be clicked. */
  constructor(run, canvas, isSmall = false) {
    this.run = run;
    this.canvas = canvas;
    this.isSmall = isSmall;
    this.left = isSmall ? 34 : LABELS;
    this.cursor = 0;
    this.chosen = 0;
    this.matches = null;
    this.closed = new Set(["The runtime's own"]);
    this.top = 0;
    this.width = 600;
    this.height = 300;
    this.axis("time");
    this.arrange();
  }

  // ---- what is seen -----------------------------------------------------------------------------

  axis(name) {
    const { run } = this;
    const shown = this.x && run.length && [this.from, this.to].map((x) => this.at(x));
    this.by = name;
    this.x = name === "time" ? run.byTime : run.byDecision;
    [this.first, this.last] = run.length ? [this.x[0], this.x[run.length - 1]] : [0, 1];
    if (this.last <= this.first) this.last = this.first + 1;
    if (shown && (shown[0] > 0 || shown[1] < run.length - 1)) {
      this.show(this.x[shown[0]], this.x[shown[1]]);
    } else {
      this.show(this.first, this.last);
    }
  }

  /** The last event at or before this point of the axis. */
  at(x) {
    return Math.max(0, above(this.x, x, this.run.length) - 1);
  }

  show(from, to) {
    const all = this.last - this.first;
    const least = this.by === "time" ? 200 : 4;
    const size = Math.min(all, Math.max(to - from, Math.min(least, all)));
    const middle = (from + to) / 2;
    this.from = Math.min(Math.max(middle - size / 2, this.first), this.last - size);
    this.to = this.from + size;
  }

  /** Shows `times` as much, with what is at the point `around` staying where it is. */
  zoom(times, around = this.x[this.cursor]) {
    const at = Math.min(Math.max(around, this.from), this.to);
    const size = Math.min((this.to - this.from) * times, this.last - this.first);
    const from = at - (at - this.from) * (size / (this.to - this.from));
    this.show(from, from + size);
  }

  pan(by) {
    this.show(this.from + by, this.to + by);
  }

  /** Moves, if need be, so that the current event can be seen. */
  reveal() {
    const x = this.x[this.cursor] ?? 0;
    const size = this.to - this.from;
    if (x < this.from || x > this.to) {
      this.show(x - size / 2, x + size / 2);
    }
  }

  get scale() {
    return (this.width - this.left - 8) / (this.to - this.from);
  }

  px(x) {
    return this.left + (x - this.from) * this.scale;
  }

  value(px) {
    return this.from + (px - this.left) / this.scale;
  }

  // ---- rows -------------------------------------------------------------------------------------

  /** Puts the lanes one below the other. */
  arrange() {
    const { lanes } = this.run;
    const sorted = (map) => [...map.values()].sort((a, b) => a.id - b.id);
    const system = (lane) => lanes.systems.has(lane.id);
    const sections = [["Processors", "p", sorted(lanes.ps)]];
    if (!this.isSmall) {
      const gs = sorted(lanes.gs);
      sections.push(["Goroutines", "g", gs.filter((l) => !system(l))]);
      sections.push(["Threads", "m", sorted(lanes.ms)]);
      sections.push(["The runtime's own", "g", gs.filter(system)]);
    }
    this.rows = [];
    this.rowOf = new Map();
    let y = 0;
    this.pinned = 0;
    for (const [title, kind, all] of sections) {
      if (!all.length) continue;
      const isPinned = !this.isSmall && kind === "p" && all.length <= PINNED;
      if (!this.isSmall) {
        this.rows.push({ y, height: HEAD, title, n: all.length, isPinned });
        y += HEAD;
      }
      for (const lane of this.closed.has(title) ? [] : all) {
        const row = { y, height: ROW, kind, lane, isPinned };
        this.rowOf.set(kind + lane.id, row);
        this.rows.push(row);
        y += ROW;
      }
      if (isPinned) this.pinned = y;
    }
    this.tall = y + 4;
  }

  /** Where a row is on the canvas: those of a few Ps stay at the top. */
  yOf(row) {
    return row.isPinned ? row.y : row.y - this.top;
  }

  rowAt(py) {
    const y = py < this.pinned ? py : py + this.top;
    const low = this.rows.findLastIndex((row) => row.y <= y);
    const row = this.rows[low];
    return row && y < row.y + row.height ? row : undefined;
  }

  /** What is at a point of the canvas: a row, and the place in its lane. */
  hit(px, py) {
    const row = this.rowAt(py);
    if (!row?.lane || px < this.left) return { row };
    const event = this.at(this.value(px));
    const k = above(row.lane.at, event) - 1;
    return { row, event, k: k >= 0 ? k : undefined };
  }

  color(g) {
    const rank = this.run.lanes.ranks.get(g);
    return rank === undefined ? this.inks.muted : COLORS[rank % COLORS.length];
  }

  letter(g) {
    const rank = this.run.lanes.ranks.get(g);
    return rank === undefined ? "#" : LETTERS[rank] ?? "*";
  }

  name(g) {
    const func = this.run.lanes.names.get(g);
    return func ? `g${g} ${func}` : g === 1 ? "g1 main.main" : `g${g}`;
  }

  // ---- drawing ----------------------------------------------------------------------------------

  /** What is behind the current event changes seldom, and is kept as a picture. */
  draw() {
    this.inks = inks();
    const ink = sharp(this.canvas, this.width, this.height);
    this.still = kept(this.still, this.width, this.height, [
      this.from, this.to, this.by, this.top, this.chosen, this.inks.back, this.tall,
      [...(this.matches ?? [])],
    ], (on) => this.drawStill(on));
    ink.drawImage(this.still.canvas, 0, 0, this.width, this.height);
    if (this.isSmall || !this.run.length) return;
    this.ink = ink;
    this.drawLinks();
    this.drawSwitches();
    this.drawCursor();
  }

  /** Marks on the slices that begin with a switch of a steered run, or in which one is. */
  drawSwitches() {
    const { ink, run } = this;
    const { switches } = run;
    const low = above(switches, this.begin - 1);
    const high = above(switches, this.end);
    ink.fillStyle = this.inks.ink;
    for (let k = low; k < high; k++) {
      const i = switches[k];
      const row = this.rowOf.get(`p${run.p[i]}`);
      if (!row) continue;
      const isRun = run.word(i, "what") === "run";
      const at = isRun ? run.decisions[run.decision(i) + 1] ?? i : i;
      const [x, y] = [this.px(this.x[at]), this.yOf(row) + row.height];
      if (x < this.left) continue;
      ink.beginPath();
      ink.moveTo(x, y - 9);
      ink.lineTo(x + 5, y);
      ink.lineTo(x - 5, y);
      ink.fill();
    }
  }

  drawStill(ink) {
    this.ink = ink;
    this.waiting = hatch(ink, RUNNABLE, this.inks.back);
    this.searching = hatch(ink, this.inks.muted, this.inks.back);
    ink.fillStyle = this.inks.back;
    ink.fillRect(0, 0, this.width, this.height);
    ink.textBaseline = "middle";
    if (!this.run.length) return;
    this.begin = this.at(this.from);
    this.end = Math.min(this.run.length - 1, this.at(this.to) + 1);
    // The event that is current in each column of pixels, for lanes with more turns than these.
    const columns = Math.max(1, Math.ceil(this.width - this.left - 8));
    this.events = new Int32Array(columns);
    for (let c = 0; c < columns; c++) this.events[c] = this.at(this.value(this.left + c + 0.5));
    if (!this.isSmall) this.drawGrid();
    this.drawRows(false);
    this.drawRows(true);
    if (this.pinned && this.top) {
      ink.fillStyle = this.inks.muted;
      ink.fillRect(0, this.pinned, this.width, 1);
    }
  }

  drawRows(arePinned) {
    const { ink } = this;
    ink.save();
    ink.beginPath();
    ink.rect(0, arePinned ? 0 : this.pinned, this.width, this.height);
    ink.clip();
    for (const row of this.rows) {
      const y = this.yOf(row);
      const isThere = y + row.height > (arePinned ? 0 : this.pinned) && y < this.height;
      if (row.isPinned !== arePinned || !isThere) continue;
      if (row.title) this.drawHead(row, y);
      else this.drawRow(row, y);
    }
    ink.restore();
  }

  ticks() {
    const size = this.to - this.from;
    let step = round((size / Math.max(1, this.width - this.left)) * 90);
    if (this.by === "decision") step = Math.max(1, step);
    const ticks = [];
    for (let x = Math.ceil(this.from / step) * step; x <= this.to; x += step) ticks.push(x);
    return ticks;
  }

  drawGrid() {
    const { ink } = this;
    ink.fillStyle = this.inks.line;
    for (const x of this.ticks()) ink.fillRect(Math.round(this.px(x)), 0, 1, this.height);
  }

  drawHead(row, y) {
    const { ink } = this;
    ink.fillStyle = this.inks.stripe;
    ink.fillRect(0, y, this.width, row.height - 2);
    ink.fillStyle = this.inks.ink;
    ink.font = `600 ${FONT}`;
    const sign = this.closed.has(row.title) ? "▸" : "▾";
    ink.fillText(`${sign} ${row.title}`, 8, y + row.height / 2 - 1);
    ink.fillStyle = this.inks.muted;
    ink.font = SMALL;
    ink.fillText(String(row.n), 20 + ink.measureText(`${row.title}`).width * 1.25 + 12,
      y + row.height / 2 - 1);
  }

  drawRow(row, y) {
    const { ink } = this;
    const { kind, lane } = row;
    const g = kind === "g" ? lane.id : 0;
    const isMatch = g && this.matches?.has(g);
    if (g && g === this.chosen || isMatch) {
      ink.fillStyle = this.inks.stripe;
      ink.fillRect(0, y, this.width, row.height);
    }
    ink.font = FONT;
    let x = this.isSmall ? 4 : 12;
    if (g) {
      ink.fillStyle = this.color(g);
      ink.fillRect(x, y + 5, 14, row.height - 10);
      ink.fillStyle = "#000";
      ink.textAlign = "center";
      ink.font = SMALL;
      ink.fillText(this.letter(g), x + 7, y + row.height / 2 + 0.5);
      ink.textAlign = "left";
      ink.font = g === this.chosen || isMatch ? `600 ${FONT}` : FONT;
      x += 20;
    }
    ink.fillStyle = this.inks.ink;
    const name = kind === "g" ? this.name(lane.id) : kind.toUpperCase() + lane.id;
    this.text(name, x, y + row.height / 2, this.left - x - 6);
    this.drawLane(row, y);
  }

  /** A text, shortened to `width`. */
  text(text, x, y, width) {
    const { ink } = this;
    if (width < 8) return;
    let shown = text;
    if (ink.measureText(shown).width > width) {
      const letters = Math.floor((shown.length * width) / ink.measureText(shown).width) - 1;
      if (letters < 1) return;
      shown = `${shown.slice(0, letters)}…`;
    }
    ink.fillText(shown, x, y);
  }

  drawLane(row, y) {
    const { ink, run } = this;
    const { lane } = row;
    ink.save();
    ink.beginPath();
    ink.rect(this.left, y, this.width - this.left, row.height);
    ink.clip();
    const low = Math.max(0, above(lane.at, this.begin) - 1);
    const high = above(lane.at, this.end);
    const columns = this.events.length;
    if (high - low <= columns) {
      for (let k = low; k < high; k++) {
        const from = this.px(this.x[lane.at[k]] ?? this.last);
        const next = k + 1 < lane.at.length ? this.x[lane.at[k + 1]] ?? this.last : this.last;
        this.drawTurn(row, y, k, from, this.px(next));
      }
    } else {
      // What holds in the middle of each column; columns that are alike are one.
      let from = 0;
      let last = above(lane.at, this.events[0]) - 1;
      for (let c = 1; c <= columns; c++) {
        const isOn = c < columns && last >= 0 && !(lane.at[last + 1] <= this.events[c]);
        const k = isOn ? last : c < columns ? above(lane.at, this.events[c]) - 1 : -2;
        const isSame = k >= 0 && last >= 0 && lane.does[k] === lane.does[last]
          && lane.of[k] === lane.of[last];
        if (k === last || isSame) continue;
        if (last >= 0) this.drawTurn(row, y, last, this.left + from, this.left + c);
        [from, last] = [c, k];
      }
    }
    ink.restore();
  }

  drawTurn(row, y, k, from, to) {
    const { ink } = this;
    const { lane, kind, height } = row;
    const does = lane.does[k];
    if (!does) return;
    const x = Math.max(from, this.left);
    const width = Math.max(1, Math.min(to, this.width) - x - (to - from > 4 ? 1 : 0));
    const g = kind === "g" ? lane.id : lane.of[k];
    const isMeant = this.chosen ? g === this.chosen : this.matches?.has(g) ?? true;
    const isFaint = !isMeant && (does === "runs" || does === "call");
    ink.globalAlpha = isFaint ? 0.3 : 1;
    const middle = y + height / 2;
    switch (does) {
      case "runs":
        ink.fillStyle = this.color(g);
        ink.fillRect(x, y + 2, width, height - 4);
        if (width > (kind === "g" ? 34 : 12)) {
          ink.fillStyle = "#000";
          ink.font = SMALL;
          this.text(kind === "g" ? "runs" : width > 46 ? this.name(g) : this.letter(g),
            x + 3, middle + 0.5, width - 4);
        }
        break;
      case "runnable":
        ink.fillStyle = this.waiting;
        ink.fillRect(x, middle, width, height / 2 - 3);
        ink.fillStyle = RUNNABLE;
        ink.fillRect(x, y + height - 4, width, 1);
        this.note(WAITS_IN[lane.of[k]], x, y + 6, width);
        break;
      case "call":
        ink.fillStyle = kind === "g" ? this.color(lane.id) : this.color(g);
        ink.fillRect(x, y + 4, width, 2);
        ink.fillRect(x, y + height - 6, width, 2);
        if (width > 44) {
          ink.fillStyle = this.inks.ink;
          ink.font = SMALL;
          this.text("system call", x + 3, middle + 0.5, width - 4);
        }
        break;
      case "searches":
        ink.fillStyle = this.searching;
        ink.fillRect(x, y + 6, width, height - 12);
        break;
      default:
        ink.fillStyle = this.inks.muted;
        ink.globalAlpha *= does === "sleeps" ? 0.35 : 0.6;
        ink.fillRect(x, middle - 0.5, width, does === "awake" ? 3 : 1);
        ink.globalAlpha = 1;
        if (does === "waits" && this.run.event(lane.at[k]) === "park") {
          this.note(this.run.word(lane.at[k], "reason"), x, middle - 6, width);
        }
    }
    ink.globalAlpha = 1;
  }

  /** Why a goroutine does not run, where there is room. */
  note(text, x, y, width) {
    if (width < 80 || !text) return;
    this.ink.font = SMALL;
    this.ink.fillStyle = this.inks.muted;
    this.text(text, x + 4, y, width - 8);
  }

  /** Arrows from who wakes or makes a goroutine to that one, and to where it starts. */
  drawLinks() {
    const all = [];
    if (this.end - this.begin <= LINKED) {
      for (let i = this.begin; i <= this.end; i++) all.push(i);
    } else {
      all.push(this.cursor, this.run.cause[this.cursor]);
    }
    for (const i of all) {
      if (i >= 0) this.drawLink(i, i === this.cursor || this.run.effect[i] === this.cursor);
    }
  }

  drawLink(i, isCurrent) {
    const { run } = this;
    const name = run.event(i);
    if (name !== "ready" && name !== "create") return;
    const by = run.op(i, name === "ready" ? "goid" : "by");
    const x = this.px(this.x[i]);
    const middle = (row) => this.yOf(row) + row.height / 2;
    const [waker, woken] = [this.rowOf.get(`g${by}`), this.rowOf.get(`g${run.g[i]}`)];
    if (by && waker && woken) {
      this.arrow(x, middle(waker), x, middle(woken), isCurrent, this.pinned);
    }
    const start = run.effect[i];
    if (start < 0) return;
    const [here, there] = [this.rowOf.get(`p${run.p[i]}`), this.rowOf.get(`p${run.p[start]}`)];
    if (here && there) {
      this.arrow(x, middle(here), this.px(this.x[start]), middle(there), isCurrent);
    }
  }

  /** What of it is above `top` is not seen. */
  arrow(x0, y0, x1, y1, isCurrent, top = 0) {
    const { ink } = this;
    ink.save();
    ink.beginPath();
    ink.rect(this.left, top, this.width, this.height);
    ink.clip();
    ink.strokeStyle = ink.fillStyle = isCurrent ? this.inks.cursor : this.inks.ink;
    ink.globalAlpha = isCurrent ? 1 : 0.45;
    ink.lineWidth = isCurrent ? 2 : 1;
    ink.beginPath();
    ink.moveTo(x0, y0);
    const isFlat = Math.abs(y1 - y0) < 1;
    const bend = isFlat ? Math.min(14, Math.abs(x1 - x0) / 3) : 0;
    ink.quadraticCurveTo((x0 + x1) / 2, (y0 + y1) / 2 - 2 * bend, x1, y1);
    ink.stroke();
    const size = isCurrent ? 6 : 4;
    const angle = Math.atan2(y1 - y0 + 4 * bend, x1 - x0);
    ink.beginPath();
    ink.moveTo(x1, y1);
    for (const side of [-0.45, 0.45]) {
      ink.lineTo(x1 - size * Math.cos(angle + side), y1 - size * Math.sin(angle + side));
    }
    ink.fill();
    ink.restore();
  }

  drawCursor() {
    const x = this.px(this.x[this.cursor] ?? 0);
    if (x < this.left - 1) return;
    this.ink.fillStyle = this.inks.cursor;
    this.ink.fillRect(Math.round(x) - 1, 0, 2, this.height);
  }

  /** All of the run, how many run at a time, and which part of it is shown. */
  drawOverview(canvas) {
    const ink = sharp(canvas, this.width, OVERVIEW);
    this.all = kept(this.all, this.width, OVERVIEW, [this.by, this.inks.back],
      (on) => this.drawBusy(on));
    ink.drawImage(this.all.canvas, 0, 0, this.width, OVERVIEW);
    const width = this.width - this.left - 8;
    const edge = (x) => this.left + ((x - this.first) / (this.last - this.first)) * width;
    const [from, to] = [edge(this.from), edge(this.to)];
    ink.fillStyle = this.inks.muted;
    ink.globalAlpha = 0.25;
    ink.fillRect(this.left, 4, from - this.left, 33);
    ink.fillRect(to, 4, this.width - 8 - to, 33);
    ink.globalAlpha = 1;
    ink.strokeStyle = this.inks.ink;
    ink.strokeRect(from + 0.5, 4.5, Math.max(2, to - from - 1), 32);
    ink.fillStyle = this.inks.cursor;
    ink.fillRect(edge(this.x[this.cursor] ?? 0) - 1, 4, 2, 33);
    ink.fillStyle = this.inks.muted;
    ink.font = SMALL;
    ink.textBaseline = "middle";
    ink.fillText(this.by === "time" ? "time" : "decision", 12, 52);
    const ticks = this.ticks();
    const step = ticks[1] - ticks[0];
    for (const x of ticks) {
      const text = this.by === "time" ? timeAt(x, step) : String(x + 1);
      if (this.px(x) < this.width - 40) ink.fillText(text, Math.round(this.px(x)) + 3, 52);
      ink.fillRect(Math.round(this.px(x)), 44, 1, 20);
    }
  }

  /** How many goroutines run, over all of the run. */
  drawBusy(ink) {
    const { run } = this;
    ink.fillStyle = this.inks.back;
    ink.fillRect(0, 0, this.width, OVERVIEW);
    ink.font = SMALL;
    ink.textBaseline = "middle";
    ink.fillStyle = this.inks.muted;
    ink.fillText("how many run", 12, 20);
    const width = this.width - this.left - 8;
    const most = Math.max(1, run.lanes.ps.size);
    const all = this.last - this.first;
    ink.fillStyle = COLORS[0];
    for (let c = 0; c < width; c++) {
      const [a, b] = [c, c + 1].map((px) => this.at(this.first + (px / width) * all));
      let busy = 0;
      const step = Math.max(1, Math.floor((b - a) / 8));
      for (let i = a; i <= b; i += step) busy = Math.max(busy, run.lanes.busy[i] ?? 0);
      const height = (busy / most) * 30;
      ink.fillRect(this.left + c, 36 - height, 1, height);
    }
  }
}
