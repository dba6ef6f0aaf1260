// What events mean, in sentences.
//
// A sentence is a list of texts, goroutines (`{g}`) and events (`{at, text}`), so that what is
// named can be clicked.

/** A time in three digits or so. */
function time(ns) {
  const size = Math.abs(ns);
  if (size < 1e3) return `${Math.round(ns)} ns`;
  if (size < 1e6) return `${(ns / 1e3).toPrecision(3)} µs`;
  if (size < 1e9) return `${(ns / 1e6).toPrecision(3)} ms`;
  return `${(ns / 1e9).toPrecision(3)} s`;
}

/** A time, told from others that are `step` away. */
function timeAt(ns, step) {
  const [unit, name] = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]].find(([u]) => ns >= u) ?? [1, "ns"];
  const digits = step > 0 ? Math.max(0, Math.ceil(-Math.log10(step / unit))) : 2;
  return `${(ns / unit).toFixed(Math.min(digits, 9))} ${name}`;
}

function many(n, one, ending = "s") {
  return `${n} ${one}${n === 1 ? "" : ending}`;
}

/** What was done that made a goroutine able to go on. */
const OPS = {
  send: "sent to the channel", receive: "received from the channel", close: "closed the channel",
  unlock: "gave the lock back", done: "brought the counter to 0", signal: "signalled it",
  release: "released the semaphore", timer: "its timer was due", poller: "its descriptor is ready",
};

/** Is a mechanism of the scheduler switched off? */
function isOff(run, mechanism) {
  return (run.head.without ?? []).includes(mechanism);
}

/** Whose time slice a goroutine from runnext has. */
function slice(run, i) {
  if (!run.op(i, "inherit") || !ranBefore(run, i)) return "";
  if (isOff(run, "slice-inheritance")) {
    return "It begins a time slice of its own, for slice-inheritance is switched off: so two that "
      + "wake one another can keep the others waiting for ever.";
  }
  const used = run.op(i, "used_us");
  return `It goes on with the time slice of the one before it`
    + (used ? `, of which ${time(used * 1000)} are gone` : "")
    + ": after 10 ms in all it is asked to stop, so two that wake one another cannot keep the "
    + "others waiting for longer.";
}

/** Why a goroutine was chosen: which rule of the scheduler it is. */
const WHY = {
  runnext: (run, i) => [
    `It was in runnext, the one-place slot of P${run.p[i]}: whom a goroutine has just woken or `
      + "made goes next, before all on the ring. " + slice(run, i),
  ],
  local: (run, i) => [
    `Nothing was in runnext, so P${run.p[i]} took the `
      + (isOff(run, "fifo") ? "newest of its ring, for fifo is switched off" : "oldest of its ring")
      + `; ${run.op(i, "local") || "none"} ${run.op(i, "local") === 1 ? "is" : "are"} left there.`,
  ],
  "global-61": () => [
    "At every 61st turn a P looks at the global queue first: so those on it wait no longer than "
      + "that, however busy the Ps' own queues are.",
  ],
  global: (run, i) => [
    `The queues of P${run.p[i]} were empty, so it took `
      + `${many(run.member(i, "n"), "goroutine")} from the global queue: this one runs, `
      + "the others go to its ring.",
  ],
  netpoll: () => ["The queues were empty; the network poller said that its descriptor is ready."],
  timer: (run, i) => [
    `P${run.p[i]} had nothing to run, looked at the timers of P${run.member(i, "from")}, and one `
      + "that was due woke it.",
  ],
  steal: (run, i) => {
    const [n, of, from] = ["n", "of", "from"].map((name) => run.member(i, name));
    const what = of === 1 ? `the only goroutine on the ring of P${from}.`
      : `${n} of the ${of} on the ring of P${from}, the older half; this is the oldest.`;
    return [`P${run.p[i]} had nothing to run, so it stole ${what}`];
  },
  "steal-runnext": (run, i) => [
    `P${run.p[i]} had nothing to run, and took it from the runnext of `
      + `P${run.member(i, "from")}, which had not come to it yet.`,
  ],
  wired: () => ["It is wired to this thread (runtime.LockOSThread), which was given a P for it."],
  syscall: (run, i) => [`It returned from a system call, and P${run.p[i]} was idle.`],
  unparked: () => ["What it was to wait for had come before it was asleep: it goes on."],
  "gc-worker": () => [
    "It marks for the collector: it was its turn (a quarter of the Ps), or its P had nothing "
      + "else to do.",
  ],
  chosen: (run, i) => {
    const choice = choiceBefore(run, i);
    const none = "The run is steered: its schedule takes the decisions, and no rule does. "
      + (run.lanes.systems.has(run.g[i]) ? "But the runtime's own goroutines come first."
        : "Nobody else could run.");
    return choice < 0 ? [none]
      : ["The run is steered: its schedule takes the decisions, and no rule does. ",
        { at: choice, text: "Here" }, " it chose this goroutine", ...isSwitch(run, choice), "."];
  },
};

/** The decision of a steered run that led to the start `i`, -1 if there was nothing to choose. */
function choiceBefore(run, i) {
  for (let k = i - 1; k >= 0 && run.event(k) !== "start"; k--) {
    if (run.event(k) === "choice" && run.g[k] === run.g[i]) return k;
  }
  return -1;
}

/** Says of a decision of a steered run if it is a switch. */
function isSwitch(run, i) {
  return run.op(i, "switch") ? [" (▲ a switch of the schedule)"] : [];
}

/** Names of P −1. */
function on(run, i) {
  return run.p[i] >= 0 ? `P${run.p[i]}` : "no P";
}

/** What an event says: a sentence for each kind that is known. */
const SAYS = {
  create: (run, i) => {
    const by = run.op(i, "by");
    return [by ? { g: by } : "The runtime", " makes ", { g: run.g[i] }, "."];
  },
  start: (run, i) => [`${on(run, i)} runs `, { g: run.g[i] }, ` next, on thread M${run.m[i]}.`],
  choice: (run, i) => {
    const [g, usual, of] = [run.g[i], run.op(i, "usual"), run.op(i, "of")];
    const what = {
      run: [`of ${of} that can run, `, { g }, " is chosen",
        ...(usual && usual !== g ? ["; in the ordinary order it would be ", { g: usual }] : [])],
      case: [...(g ? [{ g }, " takes"] : ["of timers due together it takes"]),
        ` ready case ${run.op(i, "case") + 1} of ${of}`],
      time: ["time passes, though goroutines can run"],
    }[run.word(i, "what")] ?? [run.word(i, "what")];
    return [`Decision ${run.op(i, "n")} of the schedule`, ...isSwitch(run, i), ": ", ...what, "."];
  },
  park: (run, i, state) => {
    const g = state.gs.get(run.g[i]);
    const reason = run.word(i, "reason");
    const more = run.op(i, "more");
    return [
      { g: run.g[i] }, ` stops and waits: ${reason || "for the runtime"}`, ...objects(g, state),
      more ? `, and on ${many(more, "other channel")} of the select` : "",
      ". Its P is free for another.",
    ];
  },
  "park-also": (run, i) => [
    { g: run.g[i] }, ` waits on channel ${run.op(i, "on")} as well, to ${run.word(i, "dir")}.`,
  ],
  ready: (run, i) => {
    const by = run.op(i, "goid");
    const op = run.word(i, "op");
    const how = by ? [{ g: by }, ` ${OPS[op] ?? "woke it"}`] : [OPS[op] ?? "the runtime woke it"];
    return [{ g: run.g[i] }, " can run again: ", ...how, "."];
  },
  queued: (run, i) => {
    const to = run.word(i, "to");
    const out = run.op(i, "out");
    const where = {
      runnext: `into runnext of ${on(run, i)}: it is the next`,
      ring: `at the end of the ring of ${on(run, i)}`,
      global: "at the end of the global queue",
      "global-front": "at the front of the global queue",
      aside: "aside: no goroutine of the program may run just now",
      wired: "to the thread that it is wired to",
      offered: "among those of which the schedule chooses who is next",
    };
    return [
      { g: run.g[i] }, ` is put ${where[to] ?? to}`,
      ...(out ? [", and pushes ", { g: out }, " out of it"] : []), ".",
    ];
  },
  yield: (run, i) => {
    const how = run.word(i, "how");
    const why = {
      preempt: "its time slice is over",
      gosched: run.head.steered ? "another can be chosen here" : "it called runtime.Gosched",
    };
    return [{ g: run.g[i] }, ` stops, though it could go on: ${why[how] ?? how}.`];
  },
  preempted: (run, i) => [
    { g: run.g[i] },
    ` notices that it was asked to stop (${run.word(i, "way") || "anywhere"}).`,
  ],
  asked: (run, i) => [
    `The watcher asks what runs on ${on(run, i)} to stop: it has run for `
      + `${time(run.op(i, "ran_us") * 1000)}, and a slice is 10 ms.`,
  ],
  end: (run, i) => [{ g: run.g[i] }, " has ended."],
  syscall: (run, i) => [
    { g: run.g[i] }, " begins a system call", known(run, i, "kernel"),
    run.op(i, "blocking") ? ", and gives its P up at once." : ", and keeps its P for now.",
  ],
  "syscall-end": (run, i) => [
    { g: run.g[i] }, ` is back from its system call, and goes on on ${on(run, i)}`,
    run.op(i, "same") ? ", which it had before." : ".",
  ],
  "syscall-blocked": (run, i) => [
    { g: run.g[i] }, " is back from its system call, and no P is free: it must queue.",
  ],
  retaken: (run, i) => [
    `The watcher takes ${on(run, i)} from a thread that is in a system call: `,
    { work: "goroutines wait on it.", "nobody-idle": "nobody else could take new work.",
      expired: "the call has lasted too long." }[run.word(i, "why")] ?? run.word(i, "why"),
  ],
  handoff: (run, i) => [`${on(run, i)} has lost its thread (${run.word(i, "why")}).`],
  overflow: (run, i) => [
    `The ring of ${on(run, i)} is full: half of it, ${run.op(i, "n")} with the new one, `
      + "goes to the global queue.",
  ],
  stolen: (run, i) => [
    `M${run.m[i]} has stolen ${run.op(i, "n")} of ${run.op(i, "of")} from the `
      + `${run.word(i, "place")} of P${run.op(i, "from")}; `, { g: run.g[i] },
    " comes first.",
  ],
  fetched: (run, i) => [
    `M${run.m[i]} has taken ${run.op(i, "n")} of the ${run.op(i, "of")} on the global queue; `,
    { g: run.g[i] }, " comes first.",
  ],
  lock: (run, i) => [{ g: run.g[i] }, ` takes lock ${run.op(i, "on")}.`],
  unlock: (run, i) => [{ g: run.g[i] }, ` gives lock ${run.op(i, "on")} back.`],
  object: (run, i) => [
    `From now on ${run.op(i, "id")} is the number of a `
      + kindOf({ kind: run.word(i, "kind"), elem: run.texts[run.op(i, "elem")] }),
    run.word(i, "kind") === "chan" ? ` of capacity ${run.op(i, "cap")}.` : ".",
  ],
  due: (run, i) => [{ g: run.g[i] }, " has said when its sleep ends."],
  timers: (run, i) => [`${many(run.op(i, "n"), "timer")} of ${on(run, i)} were due and ran.`],
  "timers-stolen": (run, i) => [
    `M${run.m[i]} has nothing to do, and runs the timers of P${run.op(i, "from")}.`,
  ],
  spin: (run, i) => [
    `M${run.m[i]} has no work and wants to search for some: it `
      + `${run.op(i, "ok") ? "may" : "may not, for enough others do"}.`,
  ],
  "spin-start": (run, i) => [`A thread searches for work (${run.word(i, "by")}).`],
  "spin-end": (run, i) => [
    `M${run.m[i]} searches no more: it has found ${run.op(i, "found") ? "work" : "nothing"}.`,
  ],
  thread: (run, i) => [`Thread M${run.op(i, "id")} is made.`],
  "m-start": (run, i) => [`Thread M${run.m[i]} begins.`],
  "m-stop": (run, i) => [`Thread M${run.m[i]} goes to sleep: there is no work.`],
  "m-wake": (run, i) => [`Thread M${run.m[i]} is woken, with ${on(run, i)}.`],
  "m-exit": (run, i) => [`Thread M${run.m[i]} ends.`],
  "world-stop": (run, i) => [`All goroutines are being stopped: ${run.word(i, "why")}.`],
  "world-start": (run, i) => [`They go on, on ${many(run.op(i, "procs"), "P")}.`],
  "gc-begin": (run, i) => [
    `A collection begins${run.op(i, "forced") ? ": the program asks for it" : ""}.`,
  ],
  "gc-end": (run, i) => [`All that is alive has been found: ${run.op(i, "live")} bytes.`],
};

/** A comma and the text that this operand is, if it is one. */
function known(run, i, name) {
  const text = run.texts[run.op(i, name)];
  return text ? `, ${text}` : "";
}

/** What an object is, as Go spells it. */
function kindOf({ kind, elem }) {
  if (kind !== "chan" || !elem) return kind;
  return elem.startsWith("<-") ? `chan (${elem})` : `chan ${elem}`;
}

/** On what a goroutine waits. */
function objects(g, state) {
  return (g?.on ?? []).slice(0, 1).flatMap(({ object, dir }) => {
    const of = state.objects.get(object);
    const holders = (of?.holders ?? []).slice(0, 3).flatMap((h, k) => [k ? ", " : "", { g: h }]);
    return [
      dir && dir !== "none" ? `, to ${dir}` : "", ` on ${of ? kindOf(of) : "object"} ${object}`,
      ...(holders.length ? [", which ", ...holders, " holds"] : []),
    ];
  });
}

/** Goroutines of which each waits for the next to give a lock back, and the last for the first;
 * with these locks. Who waits in a select, or on a channel, waits for nobody in particular. */
function circle(state) {
  const seen = new Set();
  for (const [first, { is }] of state.gs) {
    if (is !== "waiting" || seen.has(first)) continue;
    const path = [];
    let g = first;
    for (;;) {
      const goroutine = state.gs.get(g);
      const [on, more] = goroutine?.is === "waiting" ? goroutine.on : [];
      const holder = on && !more && state.objects.get(on.object)?.holders[0];
      const at = path.findIndex((step) => step.g === g);
      if (at >= 0) return path.slice(at);
      if (!holder || seen.has(g)) break;
      seen.add(g);
      path.push({ g, object: on.object, kind: state.objects.get(on.object).kind });
      g = holder;
    }
  }
  return [];
}

/** What event `i` says. */
function says(run, i, state) {
  const say = SAYS[run.event(i)];
  if (say) return say(run, i, state);
  const about = run.g[i] ? [{ g: run.g[i] }, ": "] : [`${on(run, i)}: `];
  const values = run.operands(i).map(({ name, shown }) => `${name} ${shown}`);
  return [...about, [run.event(i), ...values].join(", "), "."];
}

/** Does time stand still while goroutines run? */
function isStill(run) {
  return run.head.clock === "virtual";
}

/** How much later event `to` is than event `from`: in decisions, where time stands still. */
function passed(run, from, to) {
  return isStill(run) ? many(run.decision(to) - run.decision(from), "decision")
    : time(run.ns[to] - run.ns[from]);
}

/** Why the decision was made that holds at event `i`: sentences. */
function reasons(run, i) {
  const d = run.decisions[run.decision(i)];
  if (d === undefined) return [];
  const g = run.g[d];
  const why = WHY[run.word(d, "why")];
  const all = [why ? why(run, d) : [`It came from: ${run.word(d, "why")}.`]];
  const cause = run.cause[d];
  if (cause >= 0) {
    const waited = passed(run, cause, d);
    const by = { create: "It was made", ready: "It could run again", yield: "It had stopped" };
    all.push([
      { at: cause, text: by[run.event(cause)] ?? "It could run" },
      ` ${waited} before, and waited so long for its turn.`,
    ]);
  }
  const before = ranBefore(run, d);
  if (before) {
    const { from, end } = before;
    all.push([
      "Before, ", { g: before.g }, ` ran on P${run.p[d]}`
        + (isStill(run) ? ", until: " : ` for ${passed(run, from, end)}, until: `),
      { at: end, text: ending(run, end) }, ".",
    ]);
  }
  if (run.event(i) !== "start") {
    all.unshift([`The last decision: P${run.p[d]} chose `, { g }, "."]);
  }
  return all;
}

/** Who ran on the P of decision `d` before it, from which event until which. */
function ranBefore(run, d) {
  const lane = run.lanes.ps.get(run.p[d]);
  const k = lane ? above(lane.at, d) - 1 : -1;
  for (let j = k - 1; j >= Math.max(0, k - 2); j--) {
    if (lane.does[j] !== "runs") continue;
    const end = lane.at[j + 1];
    return { g: lane.of[j], from: Math.min(lane.at[j], end), end };
  }
  return undefined;
}

/** The end of a run, in a few words. */
function ending(run, i) {
  switch (run.event(i)) {
    case "park": return run.word(i, "reason") || "it waited";
    case "yield": return run.word(i, "how") === "preempt" ? "its slice was over" : "it yielded";
    case "end": return "it ended";
    case "syscall": return "it began a system call";
    default: return run.event(i);
  }
}
