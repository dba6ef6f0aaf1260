//! Expressions of a wanted type.
//!
//! No expression panics, and none changes what another part of it reads: where the language leaves
//! the order open, all orders give the same. Where the language fixes it (calls from left to
//! right), `step` makes it seen. Operands of operators are never constant on the left, so that
//! nothing overflows while the program is compiled; constants have their own generator.

use crate::program::{Gen, Method, Var};
use crate::tree::{Node, parts};
use crate::types::{INT, INTEGERS, Ty};
use std::rc::Rc;

const STRINGS: &[&str] = &[
    "\"\"",
    "\"a\"",
    "\"hello\"",
    "\"héllo, 世界\"",
    "\"  pad \"",
    "\"\\xff\\xfe\\x00\"",
    "`raw\\n\"q\"`",
    "\"x\\ty\\n\"",
    "\"a,b,,c\"",
    "\"-12\"",
    "\"0x1F\"",
    "\"3.25\"",
    "\"\\U0001F600!\"",
    "\"ABCabc\"",
];

const FLOATS: &[&str] = &[
    "0",
    "0.5",
    "-0.5",
    "1",
    "1.5",
    "2.5",
    "0.1",
    "-3",
    "1e3",
    "1e20",
    "1e-7",
    "123456.789",
    "16777217",
    "0x1p-3",
    "3.0e38",
    "1.1e-38",
    "math.Pi",
    "1 / 3.0",
];

const VERBS: &[&str] = &[
    "%v",
    "%+v",
    "%#v",
    "%T",
    "%d",
    "%5d",
    "%-5d|",
    "%+d",
    "%08d",
    "%x",
    "%X",
    "%#x",
    "% x",
    "%o",
    "%#o",
    "%O",
    "%b",
    "%q",
    "%#q",
    "%+q",
    "%c",
    "%U",
    "%#U",
    "%e",
    "%E",
    "%.3e",
    "%f",
    "%.2f",
    "%8.3f",
    "%g",
    "%G",
    "%.3g",
    "%s",
    "%10s|",
    "%-10s|",
    "%.2s",
    "%t",
    "%6v",
    "%-6v|",
    "%06v",
    "%+.1e",
    "%x|%%",
    "%[1]v %[1]T",
    "%!",
    "%z",
    "%*d",
];

impl Gen {
    pub(crate) fn expr(&mut self, ty: &Ty, depth: usize) -> Node {
        self.cost += self.times * 2.0;
        if depth == 0 || self.rng.one_in(6) {
            return self.leaf(ty);
        }
        if self.rng.one_in(4) {
            if let Some(node) = self.general(ty, depth - 1) {
                return node;
            }
        }
        self.special(ty, depth - 1)
    }

    /// A variable or a literal.
    fn leaf(&mut self, ty: &Ty) -> Node {
        if self.rng.below(10) < 7 {
            if let Some(text) = self.path(ty) {
                return Node::expr(&ty.spell(), parts![text]);
            }
        }
        self.literal(ty, 1)
    }

    /// A value that no compiler knows.
    pub(crate) fn unknown(&mut self, ty: &Ty, depth: usize) -> Node {
        if let Some(text) = self.path(ty) {
            if depth == 0 || self.rng.one_in(2) {
                return Node::expr(&ty.spell(), parts![text]);
            }
        }
        let inner = self.expr(ty, depth.saturating_sub(1));
        let n = self.number();
        match self.rng.below(4) {
            0 if !self.is_quiet => Node::expr(
                &ty.spell(),
                parts![format!("step[{}]({n}, ", ty.spell()), inner, ")"],
            ),
            _ => Node::expr(
                &ty.spell(),
                parts![format!("id[{}](", ty.spell()), inner, ")"],
            ),
        }
    }

    /// A variable of the type, or a part of one.
    pub(crate) fn path(&mut self, ty: &Ty) -> Option<String> {
        let mut found = Vec::new();
        for v in &self.scope {
            paths(&v.name, &v.ty, ty, 2, &mut found);
            if let Ty::Ptr(to) = &v.ty {
                paths(&format!("(*{})", v.name), to, ty, 2, &mut found);
            }
        }
        if found.is_empty() {
            return None;
        }
        // Later ones are nearer: of many the last are likelier.
        let n = found.len();
        let i = self.rng.below(n).max(self.rng.below(n));
        let index = self.rng.below(5);
        Some(found[i].replace('¿', &index.to_string()))
    }

    pub(crate) fn literal(&mut self, ty: &Ty, depth: usize) -> Node {
        let spelled = ty.spell();
        let text = match ty.under() {
            Ty::Int(_) => format!("{spelled}({})", self.integer(ty)),
            Ty::Float(_) => format!("{spelled}({})", self.rng.of(FLOATS)),
            Ty::Complex(_) => format!(
                "{spelled}(complex({}, {}))",
                self.rng.of(&["0", "1.5", "-2", "0.1", "1e3"]),
                self.rng.of(&["0", "1", "-0.5", "3", "1e-3"])
            ),
            Ty::Param(..) => format!("{spelled}({})", self.rng.below(100)),
            Ty::Bool if *ty == Ty::Bool => self.rng.of(&["true", "false"]).to_string(),
            Ty::Bool => format!("{spelled}({})", self.rng.of(&["true", "false"])),
            Ty::Str if *ty == Ty::Str => self.rng.of(STRINGS).to_string(),
            Ty::Str => format!("{spelled}({})", self.rng.of(STRINGS)),
            Ty::Any => {
                let inner = self.basic();
                let inner = self.literal(&inner, 0);
                return Node::expr("any", parts!["any(", inner, ")"]);
            }
            Ty::Error => format!("failure({})", self.rng.below(9)),
            Ty::Shape => {
                let of = self.shapes[self.rng.below(self.shapes.len())].clone();
                let inner = self.literal(&Ty::Named(of.named), 1);
                let amp = if of.by_pointer { "&" } else { "" };
                return Node::expr("Shape", parts![format!("Shape({amp}"), inner, ")"]);
            }
            Ty::Slice(e) => {
                let e = (**e).clone();
                return self.elements(&spelled, &e, depth, None);
            }
            Ty::Array(n, e) => {
                let (n, e) = (*n, (**e).clone());
                return self.elements(&spelled, &e, depth, Some(n));
            }
            Ty::Map(k, v) => {
                let (k, v) = ((**k).clone(), (**v).clone());
                return self.map_literal(&spelled, &k, &v, depth);
            }
            Ty::Func(a, r) => {
                let (a, r) = ((**a).clone(), (**r).clone());
                return self.func_literal(&[a], &r, depth);
            }
            Ty::Ptr(e) => {
                let e = (**e).clone();
                if e.fields().is_some() {
                    let inner = self.literal(&e, depth);
                    return Node::expr(&spelled, parts!["&", inner]);
                }
                format!("new({})", e.spell())
            }
            Ty::Named(_) | Ty::Pair(..) => return self.struct_literal(ty, depth),
        };
        Node::expr(&spelled, parts![text])
    }

    /// The text of a constant within the type's range.
    pub(crate) fn integer(&mut self, ty: &Ty) -> String {
        let bits = ty.bits();
        let top: u64 = match (ty.is_unsigned(), bits) {
            (true, 64) => u64::MAX,
            (true, b) => (1 << b) - 1,
            (false, b) => (1u64 << (b - 1)) - 1,
        };
        let value = match self.rng.below(7) {
            0 => top,
            1 => top - self.rng.below(3) as u64,
            2 => 1u64 << self.rng.below(bits as usize - 1),
            3 => self.rng.next() & top,
            _ => self.rng.below(21) as u64,
        };
        if !ty.is_unsigned() && self.rng.one_in(3) {
            // The least value is one below the negated largest.
            let extra = u64::from(value == top && self.rng.one_in(2));
            return format!("-{}", value + extra);
        }
        match self.rng.below(8) {
            0 => format!("{value:#x}"),
            1 => format!("{value:#b}"),
            2 => format!("0o{value:o}"),
            _ => value.to_string(),
        }
    }

    fn elements(&mut self, spelled: &str, e: &Ty, depth: usize, n: Option<usize>) -> Node {
        let most = n.unwrap_or(4);
        let count = if depth == 0 {
            0
        } else {
            self.rng.below(most + 1)
        };
        let mut list = Vec::new();
        let mut next = 0;
        for _ in 0..count {
            // Keys go up, so that none comes twice; the ones between are zero.
            let key = if n.is_none() && self.rng.one_in(6) {
                next += self.rng.below(3);
                format!("{next}: ")
            } else {
                String::new()
            };
            next += 1;
            let value = self.expr(e, depth.saturating_sub(1));
            list.push(Node::item(parts![key, value, ", "]));
        }
        if n.is_none() && list.is_empty() && self.rng.one_in(3) {
            return Node::expr(spelled, parts![format!("({spelled})(nil)")]);
        }
        let head = match n {
            Some(n) if list.len() == n && self.rng.one_in(3) && spelled.starts_with('[') => {
                format!("[...]{}{{", e.spell())
            }
            _ => format!("{spelled}{{"),
        };
        Node::expr(spelled, parts![head, list, "}"])
    }

    fn map_literal(&mut self, spelled: &str, k: &Ty, v: &Ty, depth: usize) -> Node {
        let mut keys: Vec<String> = Vec::new();
        let mut list = Vec::new();
        for i in 0..self.rng.below(4) {
            // Distinct constants: equal ones are an error.
            let key = match k.under() {
                Ty::Str => format!("\"k{}{i}\"", self.rng.below(9)),
                Ty::Bool => ["true", "false"].get(i).unwrap_or(&"").to_string(),
                _ => format!("{}", i * 7 + self.rng.below(7)),
            };
            if key.is_empty() || keys.contains(&key) {
                continue;
            }
            let value = self.expr(v, depth.saturating_sub(1));
            list.push(Node::item(parts![format!("{key}: "), value, ", "]));
            keys.push(key);
        }
        Node::expr(spelled, parts![format!("{spelled}{{"), list, "}"])
    }

    fn struct_literal(&mut self, ty: &Ty, depth: usize) -> Node {
        let fields = ty.fields().expect("a struct");
        let is_keyed = self.rng.one_in(2);
        let mut list = Vec::new();
        for (name, field) in fields {
            let value = self.expr(&field, depth.saturating_sub(1));
            if !is_keyed {
                list.push(parts![value, ", "]);
            } else if self.rng.below(4) > 0 {
                list.push(parts![format!("{name}: "), value, ", "]);
            }
        }
        let spelled = ty.spell();
        let mut whole = parts![format!("{spelled}{{")];
        if is_keyed {
            whole.push(list.into_iter().map(Node::item).collect::<Vec<_>>().into());
        } else {
            whole.extend(list.into_iter().flatten());
        }
        whole.push("}".into());
        Node::expr(&spelled, whole)
    }

    /// A function that changes nothing outside.
    pub(crate) fn func_literal(&mut self, args: &[Ty], result: &Ty, depth: usize) -> Node {
        let outer = self.scope.len();
        let mut names = Vec::new();
        let mut head = Vec::new();
        for ty in args {
            let name = self.name("p");
            head.push(format!("{name} {}", ty.spell()));
            names.push(Var::fixed(&name, ty));
        }
        self.scope.extend(names);
        let mut list = Vec::new();
        if self.rng.one_in(4) {
            let condition = self.expr(&Ty::Bool, depth.min(1));
            let early = self.expr(result, depth.min(1));
            list.push(Node::item(parts![
                "if (",
                condition,
                ") { return ",
                early,
                " }; "
            ]));
        }
        let value = self.expr(result, depth);
        self.scope.truncate(outer);
        let mut spelled: Vec<String> = args.iter().map(Ty::spell).collect();
        let ty = format!("func({}) {}", spelled.join(", "), result.spell());
        spelled.clear();
        let head = format!("func({}) {} {{ ", head.join(", "), result.spell());
        Node::expr(&ty, parts![head, list, "return ", value, " }"])
    }

    /// What there is of any type: choices, calls, assertions, elements.
    fn general(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        let spelled = ty.spell();
        let is_value = !matches!(ty, Ty::Shape | Ty::Error | Ty::Ptr(_) | Ty::Func(..));
        let parts = match self.rng.below(10) {
            0 => {
                let c = self.expr(&Ty::Bool, depth);
                let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
                parts![format!("either[{spelled}]("), c, ", ", a, ", ", b, ")"]
            }
            1 | 2 if !self.is_quiet => return self.call(ty, depth),
            3 if is_value => {
                let inner = self.expr(ty, depth);
                let is_soft = *ty == Ty::Any || self.rng.one_in(4);
                match is_soft {
                    true => parts![format!("as[{spelled}](any("), inner, "))"],
                    false => parts!["any(", inner, format!(").({spelled})")],
                }
            }
            4 if !self.is_quiet => {
                let n = self.number();
                let inner = self.expr(ty, depth);
                parts![format!("step[{spelled}]({n}, "), inner, ")"]
            }
            5 if is_value => {
                let s = self.expr(&Ty::Slice(Rc::new(ty.clone())), depth);
                let i = self.expr(&INT, depth.min(1));
                parts![format!("at[[]{spelled}]("), s, ", ", i, ")"]
            }
            6 => {
                let f = self.func_literal(&[], ty, depth);
                parts![f, "()"]
            }
            7 => {
                let of = self.basic();
                let x = self.expr(&of, depth);
                let f = self.func_literal(&[of], ty, depth);
                parts![f, "(", x, ")"]
            }
            8 if is_value => {
                let of = self.value_type(1);
                let outer = self.times;
                self.times *= 6.0;
                let s = self.expr(&Ty::Slice(Rc::new(of.clone())), depth);
                let start = self.expr(ty, depth);
                let f = self.func_literal(&[ty.clone(), of], ty, depth.min(2));
                self.times = outer;
                parts!["fold(", s, ", ", start, ", ", f, ")"]
            }
            9 if is_value => {
                let other = self.basic();
                let (a, b) = (self.expr(ty, depth), self.expr(&other, depth));
                match self.rng.below(3) {
                    0 => parts!["pair(", b, ", ", a, ").Swap().a"],
                    1 => parts!["pair(", a, ", ", b, ").a"],
                    _ => parts!["pair(", b, ", ", a, ").b"],
                }
            }
            _ => return None,
        };
        Some(Node::expr(&spelled, parts))
    }

    /// A call of a function or method that changes nothing.
    pub(crate) fn call(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        let room = self.room();
        let fitting: Vec<usize> = (0..self.funcs.len())
            .filter(|&i| self.funcs[i].is_pure && self.funcs[i].cost <= room)
            .filter(|&i| self.funcs[i].result == *ty)
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let f = self.funcs[fitting[self.rng.below(fitting.len())]].clone();
        self.cost += self.times * f.cost;
        let mut parts = match &f.method {
            Method::None => parts![f.name.clone(), "("],
            Method::Value(of) => {
                let receiver = self.expr(&Ty::Named(of.clone()), depth);
                if self.rng.one_in(4) {
                    parts![format!("{}.{}(", of.name, f.name), receiver, ", "]
                } else {
                    parts!["(", receiver, format!(").{}(", f.name)]
                }
            }
            Method::Pointer(of) => {
                let receiver = self.literal(&Ty::Named(of.clone()), depth);
                parts!["(&", receiver, format!(").{}(", f.name)]
            }
        };
        for arg in &f.args {
            let value = self.expr(arg, depth);
            parts.push(value.into());
            parts.push(", ".into());
        }
        parts.push(")".into());
        Some(Node::expr(&ty.spell(), parts))
    }

    /// What there is of this type in particular.
    fn special(&mut self, ty: &Ty, depth: usize) -> Node {
        let spelled = ty.spell();
        let parts = match ty.under() {
            Ty::Int(_) | Ty::Float(_) | Ty::Param(..) => return self.numeric(ty, depth),
            Ty::Complex(bits) => {
                let float = Ty::Float(bits / 2);
                match self.rng.below(5) {
                    0 => {
                        let (a, b) = (self.unknown(&float, depth), self.expr(&float, depth));
                        parts![format!("{spelled}(complex("), a, ", ", b, "))"]
                    }
                    1 => {
                        let a = self.unknown(&Ty::Complex(192 - bits), depth);
                        parts![format!("{spelled}("), a, ")"]
                    }
                    _ => {
                        let (a, b) = (self.unknown(ty, depth), self.unknown(ty, depth));
                        parts!["(", a, self.rng.of(&[" + ", " - ", " * ", " / "]), b, ")"]
                    }
                }
            }
            Ty::Bool => {
                let inner = self.condition(depth);
                match *ty == Ty::Bool {
                    true => return inner,
                    false => parts![format!("{spelled}("), inner, ")"],
                }
            }
            Ty::Str => {
                let inner = self.text(depth);
                match *ty == Ty::Str {
                    true => return inner,
                    false => parts![format!("{spelled}("), inner, ")"],
                }
            }
            Ty::Any => {
                let of = self.value_type(1);
                let inner = self.expr(&of, depth);
                parts!["any(", inner, ")"]
            }
            Ty::Error => {
                let n = self.unknown(&INT, depth);
                match self.rng.below(3) {
                    0 => parts!["error(&Marked{failure(", n, ")})"],
                    1 => parts!["fmt.Errorf(\"w: %w\", failure(", n, "))"],
                    _ => parts!["failure(", n, ")"],
                }
            }
            Ty::Slice(e) => {
                let e = (**e).clone();
                return self.slice(ty, &e, depth);
            }
            _ => return self.literal(ty, depth + 1),
        };
        Node::expr(&spelled, parts)
    }

    fn numeric(&mut self, ty: &Ty, depth: usize) -> Node {
        let spelled = ty.spell();
        let is_integer = ty.is_integer();
        let is_param = matches!(ty, Ty::Param(..));
        let parts = match self.rng.below(16) {
            0..4 => {
                let (a, b) = (self.unknown(ty, depth), self.expr(ty, depth));
                let op = self.rng.of(&[" + ", " - ", " * "]);
                parts!["(", a, op, b, ")"]
            }
            4 if is_integer => {
                let (a, b) = (self.unknown(ty, depth), self.unknown(ty, depth));
                parts!["(", a, self.rng.of(&[" / ", " % "]), "(", b, " | 1))"]
            }
            4 | 5 if !is_integer => {
                let (a, b) = (self.unknown(ty, depth), self.unknown(ty, depth));
                parts!["(", a, " / (", b, " * ", format!("{spelled}(3)"), " + 1))"]
            }
            5 => {
                let a = self.unknown(ty, depth);
                let by = 1 + self.rng.below(100);
                let sign = if ty.is_unsigned() || is_param || self.rng.one_in(2) {
                    ""
                } else {
                    "-"
                };
                parts!["(", a, self.rng.of(&[" / ", " % "]), format!("{sign}{by})")]
            }
            6 | 7 if is_integer => {
                let (a, b) = (self.unknown(ty, depth), self.expr(ty, depth));
                parts!["(", a, self.rng.of(&[" & ", " | ", " ^ ", " &^ "]), b, ")"]
            }
            8 if is_integer => {
                let a = self.unknown(ty, depth);
                let by = self.rng.below(72);
                parts!["(", a, self.rng.of(&[" << ", " >> "]), format!("{by})")]
            }
            9 if is_integer => {
                let a = self.unknown(ty, depth);
                let count = Ty::Int(self.rng.below(INTEGERS.len()));
                let b = self.unknown(&count, depth);
                let mask = self.rng.of(&["7", "63", "127"]);
                parts![
                    "(",
                    a,
                    self.rng.of(&[" << ", " >> "]),
                    "(",
                    b,
                    format!(" & {mask}))")
                ]
            }
            10 => {
                let a = self.unknown(ty, depth);
                let op = if is_integer {
                    self.rng.of(&["-", "^", "+"])
                } else {
                    "-"
                };
                parts![format!("({op}"), a, ")"]
            }
            11 | 12 if is_param => {
                let a = self.unknown(ty, depth);
                parts![format!("{spelled}(int8("), a, "))"]
            }
            11 | 12 if is_integer => {
                let from = self.some_integer();
                let a = self.unknown(&from, depth);
                parts![format!("{spelled}("), a, ")"]
            }
            11 | 12 => {
                let from = if self.rng.one_in(2) {
                    self.some_integer()
                } else {
                    Ty::Float(64)
                };
                let a = self.unknown(&from, depth);
                parts![format!("{spelled}("), a, ")"]
            }
            13 => {
                let (a, b) = (self.unknown(ty, depth), self.expr(ty, depth));
                let of = self.rng.of(&["min", "max"]);
                if self.rng.one_in(3) {
                    let c = self.expr(ty, depth.min(1));
                    parts![format!("{of}("), a, ", ", b, ", ", c, ")"]
                } else {
                    parts![format!("{of}("), a, ", ", b, ")"]
                }
            }
            14 if *ty == INT => return self.int(depth),
            14 => {
                let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
                parts![format!("sum[{spelled}]("), a, ", ", b, ")"]
            }
            15 if matches!(ty, Ty::Float(_)) => return self.float(ty, depth),
            _ if *ty == INT => return self.int(depth),
            _ => return self.unknown(ty, depth),
        };
        Node::expr(&spelled, parts)
    }

    fn float(&mut self, ty: &Ty, depth: usize) -> Node {
        let Ty::Float(bits) = ty else {
            unreachable!("a float")
        };
        let a = match self.rng.below(3) {
            0 => {
                let complex = Ty::Complex(bits * 2);
                let c = self.unknown(&complex, depth);
                parts![
                    format!("float{bits}("),
                    self.rng.of(&["real(", "imag("]),
                    c,
                    "))"
                ]
            }
            1 => {
                let x = self.unknown(&Ty::Float(64), depth);
                let f = self
                    .rng
                    .of(&["Sqrt", "Floor", "Ceil", "Trunc", "Abs", "Round"]);
                parts![format!("float{bits}(math.{f}("), x, "))"]
            }
            _ => {
                let (x, y) = (self.unknown(ty, depth), self.expr(ty, depth));
                let z = self.expr(ty, depth);
                parts!["(", x, " * ", y, " + ", z, ")"]
            }
        };
        Node::expr(&ty.spell(), a)
    }

    fn int(&mut self, depth: usize) -> Node {
        let of = self.value_type(1);
        let parts = match self.rng.below(8) {
            0 => {
                let s = self.expr(&Ty::Slice(Rc::new(of)), depth);
                parts!["len(", s, ")"]
            }
            1 => {
                let s = self.unknown(&Ty::Str, depth);
                parts!["len(", s, ")"]
            }
            2 => {
                let k = self.key_type();
                let m = self.expr(&Ty::Map(Rc::new(k), Rc::new(of)), depth);
                parts!["len(", m, ")"]
            }
            3 => {
                let f = self.unknown(&Ty::Float(64), depth);
                parts!["whole(", f, ")"]
            }
            4 => {
                let (a, b) = (self.unknown(&Ty::Str, depth), self.expr(&Ty::Str, depth));
                let f = self.rng.of(&["Index", "Count", "Compare", "LastIndex"]);
                parts![format!("strings.{f}("), a, ", ", b, ")"]
            }
            5 if !self.shapes.is_empty() => {
                let shape = self.expr(&Ty::Shape, 1);
                let n = self.expr(&INT, depth);
                parts![shape, ".Size(", n, ")"]
            }
            6 => {
                let k = self.key_type();
                let m = self.expr(&Ty::Map(Rc::new(k.clone()), Rc::new(of.clone())), depth);
                let f = self.func_literal(&[INT, k, of], &INT, depth.min(1));
                let start = self.expr(&INT, 0);
                parts!["total(", m, ", ", start, ", ", f, ")"]
            }
            _ => {
                let of = of.spell();
                parts![format!("int(unsafe.Sizeof(*new({of})))")]
            }
        };
        Node::expr("int", parts)
    }

    fn condition(&mut self, depth: usize) -> Node {
        let parts = match self.rng.below(9) {
            0..3 => {
                let ty = self.ordered();
                let (a, b) = (self.unknown(&ty, depth), self.expr(&ty, depth));
                let op = self.rng.of(&[" == ", " != ", " < ", " <= ", " > ", " >= "]);
                parts!["(", a, op, b, ")"]
            }
            3 => {
                let ty = self.value_type(1);
                if !ty.is_comparable() {
                    return self.literal(&Ty::Bool, 0);
                }
                let (a, b) = (self.unknown(&ty, depth), self.unknown(&ty, depth));
                parts!["(", a, self.rng.of(&[" == ", " != "]), b, ")"]
            }
            4 | 5 => {
                let (a, b) = (self.expr(&Ty::Bool, depth), self.expr(&Ty::Bool, depth));
                parts!["(", a, self.rng.of(&[" && ", " || "]), b, ")"]
            }
            6 => {
                let a = self.unknown(&Ty::Bool, depth);
                parts!["!", a]
            }
            7 => {
                let ty = self.value_type(1);
                let x = self.expr(&Ty::Any, depth);
                parts![format!("is[{}](", ty.spell()), x, ")"]
            }
            _ => {
                let e = self.expr(&Ty::Error, depth);
                match self.rng.below(2) {
                    0 => parts!["errors.Is(", e, ", errPlain)"],
                    _ => parts!["errors.As(", e, ", new(Coded))"],
                }
            }
        };
        Node::expr("bool", parts)
    }

    fn text(&mut self, depth: usize) -> Node {
        let parts = match self.rng.below(13) {
            0 | 1 => {
                let (a, b) = (self.unknown(&Ty::Str, depth), self.expr(&Ty::Str, depth));
                parts!["cut(", a, " + ", b, ")"]
            }
            2 => {
                let s = self.expr(&Ty::Str, depth);
                let (i, j) = (self.expr(&INT, depth.min(1)), self.expr(&INT, 0));
                parts!["text(", s, ", ", i, ", ", j, ")"]
            }
            3..6 => {
                let verb = self.rng.of(VERBS).to_string();
                let of = self.value_type(1);
                let x = self.expr(&of, depth);
                parts![format!("form({verb:?}, "), x, ")"]
            }
            6 => {
                let of = self.value_type(1);
                let (a, b) = (self.expr(&of, depth), self.expr(&Ty::Any, depth.min(1)));
                let f = self.rng.of(&["Sprint", "Sprintln"]);
                parts![format!("cut(fmt.{f}("), a, ", ", b, "))"]
            }
            7 => {
                let n = self.unknown(&Ty::Int(2), depth);
                parts!["string(rune(", n, "))"]
            }
            8 => {
                let e = if self.rng.one_in(2) {
                    Ty::Int(6)
                } else {
                    Ty::Int(3)
                };
                let s = self.expr(&Ty::Slice(Rc::new(e)), depth);
                parts!["cut(string(", s, "))"]
            }
            9 => {
                let s = self.expr(&Ty::Str, depth);
                let f = self.rng.of(&["ToUpper", "ToLower", "TrimSpace"]);
                parts![format!("strings.{f}("), s, ")"]
            }
            10 => {
                let n = self.expr(&INT, depth);
                parts!["strconv.Itoa(", n, ")"]
            }
            11 if !self.shapes.is_empty() => {
                let shape = self.expr(&Ty::Shape, 1);
                parts![shape, ".Name()"]
            }
            _ => {
                let e = self.expr(&Ty::Error, depth);
                parts!["cut(", e, ".Error())"]
            }
        };
        Node::expr("string", parts)
    }

    fn slice(&mut self, ty: &Ty, e: &Ty, depth: usize) -> Node {
        let spelled = ty.spell();
        let parts = match self.rng.below(8) {
            0 | 1 => {
                let a = self.expr(ty, depth);
                let b = self.expr(e, depth);
                parts!["few(append(few(slices.Clone(", a, ")), ", b, "))"]
            }
            2 => {
                let s = self.expr(ty, depth);
                let (i, j) = (self.expr(&INT, depth.min(1)), self.expr(&INT, 0));
                parts!["span(", s, ", ", i, ", ", j, ")"]
            }
            3 => {
                let from = self.value_type(0);
                let s = self.expr(&Ty::Slice(Rc::new(from.clone())), depth);
                let outer = self.times;
                self.times *= 6.0;
                let f = self.func_literal(&[from], e, depth.min(2));
                self.times = outer;
                parts![format!("{spelled}(each("), s, ", ", f, "))"]
            }
            4 => {
                let s = self.expr(ty, depth);
                let f = self.func_literal(std::slice::from_ref(e), &Ty::Bool, depth.min(2));
                parts!["keep(", s, ", ", f, ")"]
            }
            5 => {
                let n = self.rng.below(4);
                let more = self.rng.below(3);
                parts![format!("make({spelled}, {n}, {})", n + more)]
            }
            6 if *e == Ty::Int(6) || *e == Ty::Int(3) => {
                let s = self.expr(&Ty::Str, depth);
                parts![format!("{spelled}("), s, ")"]
            }
            _ => {
                let e = e.clone();
                return self.elements(&spelled, &e, depth + 1, None);
            }
        };
        Node::expr(&spelled, parts)
    }
}

/// Collects the parts of `text`, a value of type `of`, that have the type `ty`.
/// `¿` stands for a small number.
fn paths(text: &str, of: &Ty, ty: &Ty, depth: usize, found: &mut Vec<String>) {
    if of == ty {
        found.push(text.to_string());
    }
    if depth == 0 {
        return;
    }
    if let Some(fields) = of.fields() {
        for (name, field) in fields {
            paths(&format!("{text}.{name}"), &field, ty, depth - 1, found);
        }
    }
    match of.under() {
        Ty::Array(n, e) => {
            paths(&format!("{text}[uint(¿)%{n}]"), e, ty, depth - 1, found);
        }
        Ty::Slice(e) => paths(&format!("at({text}, ¿)"), e, ty, depth - 1, found),
        Ty::Map(k, v) if **k == Ty::Str => paths(&format!("{text}[\"k¿0\"]"), v, ty, 0, found),
        Ty::Map(k, v) if k.is_integer() => paths(&format!("{text}[¿]"), v, ty, 0, found),
        _ => {}
    }
}
