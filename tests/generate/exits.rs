//! Programs about leaving: loops over functions, deferred calls, panics, recoveries and Goexit in
//! each other, and statements that panic half-way: assignments with operations, comparisons,
//! keys of maps, literals, `go` and `select` with effects in their operands.
//!
//! In the patterns `@I` stands for an int, `@B` for a condition, `@V` for a variable that is
//! assigned to, `@A` for any value, `@Q` for a sequence.

use crate::program::Rng;
use crate::tree::{Node, Part, parts};

const INTS: &[&str] = &[
    "f(@I)",
    "f(@I)",
    "f(@I)",
    "f(@I)",
    "f(@I)",
    "(@I + @I)",
    "(@I - @I)",
    "(@I & @I)",
    "spot.value(@I)",
    "whole.value(@I)",
    "(@I + @I)",
    "(@I ^ @I)",
    "bad(@I)",
    "list[@I&3]",
    "array[@I&3]",
    "table[@I&3]",
    "(@I / (@I & 3))",
    "(@I % (@I & 1))",
    "nothing.a",
    "spot.change(@I)",
    "whole.value(@I)",
    "whole.s",
    "anything.(int)",
    "byAny[@A]",
    "byKey[key{@A, @I & 3}]",
    "pick(list, @I, f(@I))",
    "both(@I, f)",
    "both(@I, spot.change)",
    "len(both(@I, digits))",
    "len(box[int]{@I}.with(digits).held)",
    "box[int]{@I}.with(f).held",
    "len(both(digits, box[int]{@I}.with).held)",
    "int(tiny)",
    "int(uint8(@I))",
    "int(small)",
    "int(int8(ratio * float64(@I&31)))",
    "func() int { defer say(\"in\", @I); return @I }()",
    "func() (r int) { defer func() { if recover() != nil { r = @I } }(); return @I }()",
    "inner{a: @I, name: text}.a",
    "outer{inner: inner{b: @I}, held: @A}.b",
    "(&outer{name: digits(@I), a: @I, b: @I}).value(@I)",
    "len(text[@I&1:])",
];

const LEAVES: &[&str] = &[
    "one",
    "two",
    "three",
    "five",
    "seven",
    "ticks",
    "list[0]",
    "array[1]",
    "spot.a",
    "len(text)",
    "len(table)",
];

const ANYTHING: &[&str] = &[
    "any(@I)",
    "any(text)",
    "any(nan)",
    "any(pair{@I & 3, 1})",
    "any([2]any{@I & 1, text})",
    "any([]int{@I})",
    "any(key{@I & 1, 2})",
    "any(key{[]int(nil), @I & 1})",
    "any(spot)",
    "any(nothing)",
    "any(nil)",
    "any(struct{}{})",
    "any(float32(@I & 3))",
    "any(func() {})",
    "any([0][]int{})",
    "anything",
];

const CONDITIONS: &[&str] = &[
    "odd(@I)",
    "odd(@I)",
    "@I < @I",
    "(@B && @B)",
    "(@B || @B)",
    "(@A == @A)",
    "(key{@A, @I & 1} == key{@A, @I & 1})",
    "([2]any{@I, @A} == [2]any{@I, @A})",
    "(whole == outer{held: @A})",
    "same[any](@A, @A)",
    "same(key{@A, 1}, key{@A, 2})",
    "(nan == nan)",
];

const PLACES: &[&str] = &[
    "ticks",
    "list[@I&3]",
    "array[@I&3]",
    "table[@I&3]",
    "noTable[@I&1]",
    "spot.a",
    "nothing.b",
    "(*spot).b",
    "whole.a",
    "whole.pair.b",
    "whole.s",
    "byAny[@A]",
    "byKey[key{@A, @I & 1}]",
    "(*both(spot, func(p *pair) *pair { f(1); return p })).a",
    "list[@I&1:][@I&3]",
];

/// Those that leave nothing.
const SIMPLE: &[&str] = &[
    "say(\"at\", @I)",
    "say(\"at\", @B, @I)",
    "@V = @I",
    "@V += @I",
    "@V -= @I",
    "@V *= @I & 7",
    "@V /= @I & 3",
    "@V %= @I & 1",
    "@V <<= (@I & 7) - 1",
    "@V >>= @I & 3",
    "@V &^= @I",
    "@V |= @I & 31",
    "@V++",
    "@V, @V = @I, @I",
    "@V, _ = table[@I&3]",
    "@V, @V = f(@I), bad(@I)",
    "text += digits(@I)",
    "text = text[@I&1:]",
    "tiny += int8(@I)",
    "small *= uint16(@I)",
    "ratio /= float64(@I & 3)",
    "ratio = 1.5",
    "anything = @A",
    "byAny[@A] = @I",
    "byAny[@A]++",
    "byKey[key{@A, @I & 1}]--",
    "delete(byAny, @A)",
    "clear(byKey)",
    "whole = outer{inner: inner{name: text, pair: pair{a: @I, b: @I}}, held: @A}",
    "whole = outer{a: @I, name: digits(@I), held: @I}",
    "whole = outer{side: &side{t: @I, s: @I}}",
    "whole.inner = inner{b: @I & 255}",
    "{\n\t\tb := &box[int]{@I}\n\t\tdefer b.put(@I & 3, f)\n\t\tput := b.put[string]\n\t\t\
     say(\"box\", put(digits(@I), func(s string) int { return len(s) + @I }))\n\t}",
    "{\n\t\tdone := make(chan bool)\n\t\tgo func(a, b int) {\n\t\t\tdefer close(done)\n\t\t\t\
     say(\"go\", a, b)\n\t\t}(@I, @I)\n\t\t<-done\n\t}",
    "select {\n\tcase queue <- @I:\n\tcase queue <- @I:\n\t}",
    "select {\n\tcase @V = <-(func() chan int { f(1); queue <- @I; return queue }()):\n\t}",
    "select {\n\tcase @V, _ = <-(func() chan int { f(2); return nil }()):\n\tdefault:\n\t\t\
     say(\"default\", @I)\n\t}",
    "switch x := (@A).(type) {\n\tcase int:\n\t\tsay(\"int\", x+@I)\n\tcase nil:\n\t\t\
     say(\"nil\")\n\tcase pair, key:\n\t\tsay(\"struct\")\n\tdefault:\n\t\tsay(\"other\")\n\t}",
    "switch (@I) & 3 {\n\tcase @I & 3:\n\t\tsay(\"one\")\n\tcase bad(@I):\n\t\tsay(\"two\")\n\t\t\
     fallthrough\n\tdefault:\n\t\tsay(\"three\", @I)\n\t}",
];

/// Those that leave something, behind a condition; `%` is a label.
const EXITS: &[&str] = &[
    "break",
    "continue",
    "break %",
    "continue %",
    "return @I, \"returned\"",
    "panic(@I)",
    "panic(fmt.Sprint(\"panic \", @I))",
    "panic(errPlain)",
    "panic(nil)",
    "runtime.Goexit()",
    "_ = list[@I|8]",
];

const DEFERRED: &[&str] = &[
    "defer say(\"deferred\", @I)",
    "defer f(@I)",
    "defer spot.change(@I)",
    "defer func() { say(\"result\", n, s); n ^= @I & 7 }()",
    "defer func() { say(\"recovered\", told(recover())) }()",
    "defer func() { if r := recover(); r != nil { n, s = @I, told(r) } }()",
    "defer func() { r := recover(); say(\"again\", told(r)); if (@B) { panic(@I) } }()",
    "defer func() { if (@B) { panic(fmt.Sprint(\"late \", @I)) } }()",
    "defer func() { for i := range @Q { say(\"late\", i); if (@B) { return } } }()",
    "defer func() { defer func() { say(\"deeper\", told(recover())) }(); panic(@I) }()",
    "defer func() { if (@B) { recover(); runtime.Goexit() } }()",
];

const SEQUENCES: &[&str] = &[
    "upTo(@I)",
    "deferring(@I)",
    "deferring(@I)",
    "recovering(@I)",
    "failing(@I)",
    "deaf(@I)",
    "leaving(@I)",
];

struct Maker {
    rng: Rng,
    /// Labels of the loops around, with whether one has been named.
    labels: Vec<(String, bool)>,
    count: usize,
}

/// The program of this seed, with so many parts.
pub(crate) fn program(seed: u64, parts_of_it: usize) -> Node {
    let mut maker = Maker {
        rng: Rng(seed ^ 0x5eed),
        labels: Vec::new(),
        count: 0,
    };
    let mut list = Vec::new();
    for n in 0..parts_of_it {
        let body = maker.block(5, 3);
        list.push(Node::item(parts![
            format!("\tpart({n}, func() (n int, s string) {{\n"),
            body,
            "\treturn n, s\n\t})\n"
        ]));
    }
    Node::item(parts![
        include_str!("exits.go"),
        "\nfunc main() {\n",
        list,
        "}\n"
    ])
}

impl Maker {
    fn block(&mut self, most: usize, depth: usize) -> Vec<Node> {
        let n = 1 + self.rng.below(most);
        (0..n).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Node {
        match self.rng.below(12) {
            0..3 if depth > 0 => self.looped(depth - 1),
            3 if depth > 0 => {
                let condition = self.value('B', 2);
                let (yes, no) = (self.block(3, depth - 1), self.block(2, depth - 1));
                Node::item(parts![
                    "if (",
                    condition,
                    ") {\n",
                    yes,
                    "} else {\n",
                    no,
                    "}\n"
                ])
            }
            // A function of its own: what is outside cannot be left from there.
            4 if depth > 0 => {
                let labels = std::mem::take(&mut self.labels);
                let body = self.block(3, depth - 1);
                self.labels = labels;
                let x = self.name();
                Node::item(parts![
                    format!("func() {{\n{x}, what := func() (n int, s string) {{\n"),
                    body,
                    format!("return n, s\n}}()\nsay(\"inner\", {x}, what)\n}}()\n")
                ])
            }
            5 | 6 => self.filled(DEFERRED),
            7 | 8 => self.exit(),
            _ => {
                let simple = self.filled(SIMPLE);
                match self.rng.one_in(3) {
                    true => simple,
                    // What it panics with is told, and what stands behind it runs.
                    false => Node::item(parts!["func() {\ndefer tell()\n", simple, "}()\n"]),
                }
            }
        }
    }

    fn name(&mut self) -> String {
        self.count += 1;
        format!("x{}", self.count)
    }

    fn looped(&mut self, depth: usize) -> Node {
        let (x, y, label) = (self.name(), self.name(), self.name().replace('x', "L"));
        let (head, use_them) = match self.rng.below(6) {
            0 => (
                parts![format!("for {x} := range ("), self.value('I', 1), ")&3 {\n"],
                format!("say(\"round\", {x})\n"),
            ),
            1 => (
                parts![
                    format!("for {x}, {y} := range nested("),
                    self.value('I', 1),
                    ") {\n"
                ],
                format!("say(\"round\", {x}, {y})\n"),
            ),
            2 => (
                parts!["for range passing(", self.value('I', 1), ") {\n"],
                "say(\"round\")\n".to_string(),
            ),
            3 => (
                parts!["for ticks = range ", self.value('Q', 1), " {\n"],
                "say(\"round\", ticks)\n".to_string(),
            ),
            _ => (
                parts![format!("for {x} := range "), self.value('Q', 1), " {\n"],
                format!("say(\"round\", {x})\n"),
            ),
        };
        self.labels.push((label, false));
        let body = self.block(4, depth);
        let (label, is_used) = self.labels.pop().expect("pushed above");
        let mut whole = match is_used {
            true => parts![format!("{label}:\n")],
            false => parts![],
        };
        whole.extend(head);
        whole.extend(parts![use_them, body, "}\n"]);
        Node::item(whole)
    }

    fn exit(&mut self) -> Node {
        let pattern = self.rng.of(EXITS);
        let needs_loop = pattern.contains("break") || pattern.contains("continue");
        if needs_loop && self.labels.is_empty() {
            return self.filled(SIMPLE);
        }
        let mut text = pattern.to_string();
        if text.contains('%') {
            let i = self.rng.below(self.labels.len());
            self.labels[i].1 = true;
            text = text.replace('%', &self.labels[i].0);
        }
        let mut whole = parts!["if (", self.value('B', 1), ") {\n"];
        whole.extend(self.fill(&text, 2));
        whole.push("\n}\n".into());
        Node::item(whole)
    }

    fn filled(&mut self, of: &[&'static str]) -> Node {
        let pattern = self.rng.of(of);
        let mut whole = self.fill(pattern, 2);
        whole.push("\n".into());
        Node::item(whole)
    }

    /// The pattern with values in place of what stands for them, `depth` deep at most.
    fn fill(&mut self, pattern: &str, depth: usize) -> Vec<Part> {
        let mut pieces = pattern.split('@');
        let mut whole = parts![pieces.next().unwrap_or_default()];
        for piece in pieces {
            let mut rest = piece.chars();
            let of = rest.next().expect("a letter");
            whole.push(self.value(of, depth).into());
            whole.push(rest.as_str().into());
        }
        whole
    }

    fn value(&mut self, of: char, depth: usize) -> Node {
        let is_leaf = depth == 0 || self.rng.one_in(3);
        let (ty, pattern) = match of {
            'I' if is_leaf => ("int", self.rng.of(LEAVES)),
            'I' => ("int", self.rng.of(INTS)),
            'B' if is_leaf => ("bool", "odd(@I)"),
            'B' => ("bool", self.rng.of(CONDITIONS)),
            'A' if is_leaf => ("any", "any(@I)"),
            'A' => ("any", self.rng.of(ANYTHING)),
            'Q' => ("sequence", self.rng.of(SEQUENCES)),
            _ => ("place", self.rng.of(PLACES)),
        };
        let whole = self.fill(pattern, depth.saturating_sub(1));
        Node::expr(ty, whole)
    }
}
