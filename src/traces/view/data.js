"use strict";
// A run: its events, the queues behind any of them, and who did what when.
//
// Nothing here knows a rule of the scheduler. What an event changes stands in the page as rows of
// whole numbers (`changes`), and is only followed.

/** Reads columns of whole numbers, which are packed. */
async function unpack(text, sizes) {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let at = 0;
  return sizes.map((size) => {
    const column = new Float64Array(size);
    for (let i = 0; i < size; i++) {
      let n = 0;
      let scale = 1;
      let byte;
      do {
        byte = bytes[at++];
        n += (byte & 127) * scale;
        scale *= 128;
      } while (byte > 127);
      column[i] = n % 2 ? -(n + 1) / 2 : n / 2;
    }
    return column;
  });
}

/** The first place in `sorted` whose number is greater than `x`. */
function above(sorted, x, length = sorted.length) {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] > x) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A goroutine stops running with one of these. */
const LEAVES = new Set(["park", "yield", "end", "syscall"]);
/** How much of its column the run has that a decision began. */
const RUN = 0.8;

class Run {
  /** Of what stands in the page; `page` has what is the same for all runs. */
  static async read(raw, page) {
    const columns = await unpack(raw.data, raw.sizes);
    return new Run(raw, page, Object.fromEntries(raw.columns.map((n, i) => [n, columns[i]])));
  }

  constructor(raw, page, columns) {
    this.name = raw.name;
    this.head = raw.head;
    this.notes = raw.notes;
    this.first = raw.first;
    this.length = raw.events;
    this.texts = raw.texts;
    this.lists = raw.lists;
    this.kinds = raw.kinds.map(([name, slots]) => ({ name, slots }));
    this.stacks = raw.stacks.map((frames) =>
      frames.map(([func, file, line]) => ({
        func: this.texts[func],
        file: this.texts[file],
        line,
      })));
    this.page = page;
    const { kind, m, p, g, ns, ops, lengths } = columns;
    Object.assign(this, { m, p, g, ops, changes: columns.changes, begin: columns.begin });
    this.kind = Uint8Array.from(kind);
    // Where the operands and the changes of each event begin, and when it was.
    this.opsAt = new Uint32Array(this.length + 1);
    this.changesAt = new Uint32Array(this.length + 1);
    this.ns = new Float64Array(this.length);
    let now = raw.ns;
    for (let i = 0; i < this.length; i++) {
      this.opsAt[i + 1] = this.opsAt[i] + this.kinds[kind[i]].slots.length;
      this.changesAt[i + 1] = this.changesAt[i] + lengths[i];
      now += i ? ns[i] : 0;
      this.ns[i] = now;
    }
    this.link();
    this.lanes = new Lanes(this);
    this.states = new States(this);
  }

  event(i) {
    return this.kinds[this.kind[i]]?.name ?? "";
  }

  /** The operand of this name, 0 if there is none. */
  op(i, name) {
    const at = this.kinds[this.kind[i]].slots.findIndex((slot) => slot[0] === name);
    return at < 0 ? 0 : this.ops[this.opsAt[i] + at];
  }

  /** The operand of this name as a word, with its members. */
  word(i, name) {
    return this.operands(i).find((o) => o.name === name && o.form === "word")?.shown ?? "";
  }

  /** All operands of an event. */
  operands(i) {
    const all = [];
    const { slots } = this.kinds[this.kind[i]];
    for (let k = 0; k < slots.length; k++) {
      const [name, form, list] = slots[k];
      const value = this.ops[this.opsAt[i] + k];
      if (form === "member") continue;
      if (form === "word") {
        const [word, members] = this.lists[list]?.[value] ?? [String(value), []];
        all.push({ name, form, value, shown: word });
        members.forEach((member, j) => {
          const of = this.ops[this.opsAt[i] + k + 1 + j];
          all.push({ name: member, form: "number", value: of, shown: String(of) });
        });
      } else {
        all.push({ name, form, value, shown: this.show(form, value) });
      }
    }
    return all;
  }

  /** A number that is a member of a word. */
  member(i, name) {
    return this.operands(i).find((o) => o.name === name)?.value ?? 0;
  }

  show(form, value) {
    if (form === "flag") return value ? "yes" : "no";
    if (form === "text") return this.texts[value] ?? "";
    if (form === "stack") return (this.stacks[value] ?? []).map(frame).join(" ← ");
    return String(value);
  }

  /** Finds out what follows what: wake-ups and starts, events of one goroutine, decisions. */
  link() {
    const n = this.length;
    // Of a start: the event that made the goroutine able to run. Of such an event: the start.
    this.cause = new Int32Array(n).fill(-1);
    this.effect = new Int32Array(n).fill(-1);
    this.before = new Int32Array(n).fill(-1);
    this.after = new Int32Array(n).fill(-1);
    this.decisions = [];
    // Switches of a steered run.
    this.switches = [];
    // Where each event stands on the two axes.
    this.byTime = new Float64Array(n);
    this.byDecision = new Float64Array(n);
    const last = new Map();
    const cause = new Map();
    const causes = new Set(["create", "ready", "yield", "syscall-blocked"]);
    for (let i = 0; i < n; i++) {
      const name = this.event(i);
      const g = this.g[i];
      this.byTime[i] = i ? Math.max(this.byTime[i - 1], this.ns[i]) : this.ns[0];
      if (g) {
        const before = last.get(g);
        if (before !== undefined) {
          this.before[i] = before;
          this.after[before] = i;
        }
        last.set(g, i);
        if (causes.has(name)) cause.set(g, i);
        if (name === "start") {
          const by = cause.get(g);
          if (by !== undefined) {
            this.cause[i] = by;
            this.effect[by] = i;
            cause.delete(g);
          }
        }
      }
      if (name === "start") this.decisions.push(i);
      if (name === "choice" && this.op(i, "switch")) this.switches.push(i);
    }
    // Events between two decisions share the column of the first. Most of it has those until
    // whoever was chosen leaves, so that a run can be seen.
    let from = 0;
    this.decisions.concat(n).forEach((to, k) => {
      let leaves = from;
      while (leaves < to && !(this.g[leaves] === this.g[from] && LEAVES.has(this.event(leaves)))) {
        leaves++;
      }
      const isLong = leaves < to && k > 0;
      for (let i = from; i < to; i++) {
        const part = !isLong ? (i - from) / (to - from)
          : i <= leaves ? (RUN * (i - from)) / (leaves - from)
          : RUN + ((1 - RUN) * (i - leaves)) / (to - leaves);
        this.byDecision[i] = Math.max(0, k - 1 + part);
      }
      from = to;
    });
  }

  /** The number of the last decision at or before event `i`, -1 if there is none. */
  decision(i) {
    return above(this.decisions, i) - 1;
  }

  /** Calls the methods of `to` that are named as the changes, with where their values are. */
  follow(values, from, to, by) {
    const { changes } = this.page;
    for (let at = from; at < to;) {
      const [name, size, hasPairs] = changes[values[at]];
      by[name](values, at + 1);
      at += 1 + size + (hasPairs ? 2 * values[at + size] : 0);
    }
  }

  /** The changes of event `i`. */
  step(i, by) {
    this.follow(this.changes, this.changesAt[i], this.changesAt[i + 1], by);
  }
}

function frame({ func, file, line }) {
  const short = file.split("/").pop();
  return file ? `${func} (${short}:${line})` : func;
}

// ---- the queues ---------------------------------------------------------------------------------

/** What is in the queues, and who waits. */
class State {
  constructor(run) {
    this.run = run;
    this.gs = new Map();
    this.ps = new Map();
    this.global = [];
    this.threads = new Map();
    this.objects = new Map();
  }

  copy() {
    const to = new State(this.run);
    this.gs.forEach((g, id) => to.gs.set(id, { ...g }));
    this.ps.forEach((p, id) =>
      to.ps.set(id, { ...p, runnext: p.runnext.slice(), ring: p.ring.slice() }));
    to.global = this.global.slice();
    to.threads = new Map(this.threads);
    this.objects.forEach((o, id) =>
      to.objects.set(id, { ...o, waiters: o.waiters.slice(), holders: o.holders.slice() }));
    return to;
  }

  p(id) {
    let p = this.ps.get(id);
    if (!p) this.ps.set(id, (p = { m: 0, g: 0, runnext: [], ring: [] }));
    return p;
  }

  object_(id) {
    let object = this.objects.get(id);
    const fresh = () => ({ kind: "object", cap: 0, elem: "", waiters: [], holders: [] });
    if (!object) this.objects.set(id, (object = fresh()));
    return object;
  }

  /** A list, which two numbers name. */
  list(v, at) {
    const id = v[at + 1];
    switch (this.run.page.of[v[at]]) {
      case "runnext": return this.p(id).runnext;
      case "ring": return this.p(id).ring;
      case "global": return this.global;
      case "waiters": return this.object_(id).waiters;
      default: return this.object_(id).holders;
    }
  }

  // What changes; see `Run.follow`.

  made(v, at) {
    const { texts } = this.run;
    this.gs.set(v[at], {
      func: texts[v[at + 1]], system: v[at + 2] !== 0, made: v[at + 3],
      is: "moving", of: -1, reason: "", on: [],
    });
  }

  is(v, at) {
    const g = this.gs.get(v[at]);
    const place = this.run.page.places[v[at + 1]];
    if (place === "gone") this.gs.delete(v[at]);
    else if (g) Object.assign(g, { is: place, of: v[at + 2] });
  }

  reason(v, at) {
    const g = this.gs.get(v[at]);
    if (g) g.reason = this.run.texts[v[at + 1]];
  }

  on(v, at) {
    const g = this.gs.get(v[at]);
    if (!g) return;
    g.on = [];
    for (let k = 0; k < v[at + 1]; k++) {
      g.on.push({ object: v[at + 2 + 2 * k], dir: this.run.texts[v[at + 3 + 2 * k]] });
    }
  }

  runs(v, at) {
    Object.assign(this.p(v[at]), { m: v[at + 1], g: v[at + 2] });
  }

  out(v, at) {
    const list = this.list(v, at);
    const i = list.indexOf(v[at + 2]);
    if (i >= 0) list.splice(i, 1);
  }

  back(v, at) {
    this.list(v, at).push(v[at + 2]);
  }

  front(v, at) {
    this.list(v, at).unshift(v[at + 2]);
  }

  thread(v, at) {
    if (v[at + 1]) this.threads.set(v[at], v[at + 1]);
    else this.threads.delete(v[at]);
  }

  object(v, at) {
    const [kind, elem] = [v[at + 1], v[at + 3]].map((n) => this.run.texts[n]);
    Object.assign(this.object_(v[at]), { kind, cap: v[at + 2], elem });
  }

  // What is shown.

  sorted(map) {
    return [...map].sort((a, b) => a[0] - b[0]);
  }

  /** The Ps by number. */
  processors() {
    return this.sorted(this.ps).filter(([id]) => id >= 0);
  }

  /** The goroutines in this place. */
  placed(place) {
    const all = [];
    this.gs.forEach((g, id) => g.is === place && all.push(id));
    return all.sort((a, b) => a - b);
  }

  /** The threads that do what this flag says. */
  those(flag) {
    return this.sorted(this.threads).filter(([, f]) => f & flag).map(([m]) => m);
  }

  /** As `gosched trace queues --json` tells it. */
  json(seq) {
    const ps = this.processors().map(([p, { m, g, runnext, ring }]) => ({
      p, m: g ? m : null, g: g || null, runnext: runnext.at(-1) ?? null, ring,
    }));
    const goroutines = this.sorted(this.gs).map(([g, { func, system, is, reason, on }]) => ({
      g, func, system, is, reason: is === "waiting" ? reason : null, on,
    }));
    const objects = this.sorted(this.objects)
      .filter(([, o]) => o.waiters.length || o.holders.length)
      .map(([object, { kind, cap, elem, waiters, holders }]) => ({
        object, kind, cap, elem, waiters, holders,
      }));
    return {
      at: seq, ps, global: this.global, aside: this.placed("aside"), wired: this.placed("wired"),
      offered: this.placed("offered"), idle: this.those(2), searching: this.those(4),
      goroutines, objects,
    };
  }
}

/** Goroutines in all states that are kept. */
const KEPT = 500_000;
/** Milliseconds that what is done beside the user takes at a time. */
const PIECE = 12;

/** The queues behind any event: some are kept, the others followed from there. */
class States {
  constructor(run) {
    this.run = run;
    // Few are kept of a run with many goroutines: together they have no more than so many.
    this.every = Math.max(1000, Math.ceil((run.length * run.lanes.gs.size) / KEPT));
    this.kept = [];
    this.at = -1;
    this.now = new State(run);
    run.follow(run.begin, 0, run.begin.length, this.now);
    this.kept.push(this.now.copy());
  }

  /** Behind event `i`; it is not to be changed, and goes on when another is asked for. */
  behind(i) {
    const nearest = Math.min(Math.floor((i + 1) / this.every), this.kept.length - 1);
    if (i < this.at || nearest * this.every - 1 > this.at) {
      this.now = this.kept[nearest].copy();
      this.at = nearest * this.every - 1;
    }
    while (this.at < i) {
      this.at++;
      this.run.step(this.at, this.now);
      if ((this.at + 1) % this.every === 0 && (this.at + 1) / this.every === this.kept.length) {
        this.kept.push(this.now.copy());
      }
    }
    return this.now;
  }

  /** Goes through all, a piece at a time, so that no later step is long. */
  async prepare() {
    let began = performance.now();
    while (this.kept.length * this.every <= this.run.length) {
      this.behind(this.kept.length * this.every - 1);
      if (performance.now() - began < PIECE) continue;
      await new Promise((done) => setTimeout(done));
      began = performance.now();
    }
  }
}

// ---- lanes --------------------------------------------------------------------------------------

/** What one P, goroutine or thread does, from which event on. */
class Lane {
  constructor(id) {
    this.id = id;
    this.at = [];
    this.does = [];
    this.of = [];
  }

  turn(at, does, of) {
    const last = this.at.length - 1;
    if (last >= 0 && this.does[last] === does && this.of[last] === of) return;
    if (last >= 0 && this.at[last] === at) {
      this.does[last] = does;
      this.of[last] = of;
      return;
    }
    this.at.push(at);
    this.does.push(does);
    this.of.push(of);
  }
}

/** How a goroutine is drawn that is in this place. */
const DOES = {
  gone: "", unknown: "",
  moving: "runnable", runnext: "runnable", ring: "runnable", global: "runnable",
  aside: "runnable", wired: "runnable", offered: "runnable",
  running: "runs", syscall: "call", waiting: "waits",
};

class Lanes {
  constructor(run) {
    this.run = run;
    this.ps = new Map();
    this.gs = new Map();
    this.ms = new Map();
    // By goroutine: its function; whether it is the runtime's.
    this.names = new Map();
    this.systems = new Set();
    // Behind each event: how many goroutines run.
    this.busy = new Uint16Array(run.length);
    this.i = 0;
    // By P: the thread that runs a goroutine with it. By goroutine: the thread of its system call.
    this.running = new Map();
    this.calls = new Map();
    this.threadsNow = new Map();
    this.touched = new Set();
    run.follow(run.begin, 0, run.begin.length, this);
    this.settle();
    for (; this.i < run.length; this.i++) {
      run.step(this.i, this);
      if (this.touched.size) this.settle();
      this.busy[this.i] = this.running.size;
    }
    this.rank();
  }

  lane(map, id) {
    let lane = map.get(id);
    if (!lane) map.set(id, (lane = new Lane(id)));
    return lane;
  }

  m(id) {
    let m = this.threadsNow.get(id);
    if (!m) this.threadsNow.set(id, (m = { flags: 0, g: 0, call: 0 }));
    this.touched.add(id);
    return m;
  }

  /** Threads do what all changes of an event say together. */
  settle() {
    for (const id of this.touched) {
      const { flags, g, call } = this.threadsNow.get(id);
      const does = g ? "runs" : call ? "call" : flags & 4 ? "searches" : flags & 2 ? "sleeps"
        : flags ? "awake" : "";
      if (id >= 0) this.lane(this.ms, id).turn(this.i, does, g || call);
    }
    this.touched.clear();
  }

  made(v, at) {
    this.names.set(v[at], this.run.texts[v[at + 1]]);
    if (v[at + 2]) this.systems.add(v[at]);
  }

  is(v, at) {
    const [g, place, of] = [v[at], this.run.page.places[v[at + 1]], v[at + 2]];
    this.lane(this.gs, g).turn(this.i, DOES[place], place);
    const m = this.calls.get(g);
    if (m !== undefined) this.m(m).call = 0;
    this.calls.delete(g);
    if (place === "syscall") {
      this.m(of).call = g;
      this.calls.set(g, of);
    }
  }

  runs(v, at) {
    const [p, m, g] = [v[at], v[at + 1], v[at + 2]];
    if (p < 0) return;
    const before = this.running.get(p);
    if (before !== undefined) this.m(before).g = 0;
    this.running.delete(p);
    if (g) {
      this.m(m).g = g;
      this.running.set(p, m);
    }
    this.lane(this.ps, p).turn(this.i, g ? "runs" : "", g);
  }

  thread(v, at) {
    this.m(v[at]).flags = v[at + 1];
  }

  reason() {}
  on() {}
  out() {}
  back() {}
  front() {}
  object() {}

  /** Numbers the goroutines by how long they ran: so much for colors and letters. */
  rank() {
    const ran = new Map();
    for (const lane of this.ps.values()) {
      for (let k = 0; k < lane.at.length; k++) {
        if (lane.does[k] !== "runs") continue;
        const end = lane.at[k + 1] ?? this.run.length - 1;
        const ns = this.run.byTime[end] - this.run.byTime[Math.min(lane.at[k], end)];
        ran.set(lane.of[k], (ran.get(lane.of[k]) ?? 0) + ns);
      }
    }
    this.ran = ran;
    const users = [...this.gs.keys()].filter((g) => !this.systems.has(g));
    users.sort((a, b) => (ran.get(b) ?? 0) - (ran.get(a) ?? 0) || a - b);
    this.ranks = new Map(users.map((g, i) => [g, i]));
  }
}
