//! Statements.
//!
//! What may panic stands alone in a `try`, its operands are variables and literals. Functions that
//! change what others see are called alone. Concurrent statements give the same whatever the
//! schedule.

use crate::program::{Gen, Method, Var};
use crate::tree::{Node, Part, parts};
use crate::types::{INT, Ty};
use std::rc::Rc;

impl Gen {
    /// `n` statements in a scope of their own.
    pub(crate) fn block(&mut self, n: usize, depth: usize) -> Vec<Node> {
        let outer = self.scope.len();
        let list = (0..n).map(|_| self.stmt(depth)).collect();
        self.scope.truncate(outer);
        list
    }

    /// A block that runs about six times for each time of what surrounds it.
    fn repeated(&mut self, vars: Vec<Var>, depth: usize) -> Vec<Node> {
        let (outer, times) = (self.scope.len(), self.times);
        self.scope.extend(vars);
        self.times *= 6.0;
        self.loops += 1;
        let n = 1 + self.rng.below(3);
        let list = self.block(n, depth);
        self.loops -= 1;
        self.times = times;
        self.scope.truncate(outer);
        list
    }

    /// The body of a function of its own, from which no `return`,
    /// `break` or `continue` leads outside.
    fn apart<T>(&mut self, make: impl FnOnce(&mut Gen) -> T) -> T {
        let result = self.result.take();
        let labels = std::mem::take(&mut self.labels);
        let loops = std::mem::take(&mut self.loops);
        let made = make(self);
        (self.result, self.labels, self.loops) = (result, labels, loops);
        made
    }

    fn stmt(&mut self, depth: usize) -> Node {
        self.cost += self.times;
        let may_nest = depth > 0 && self.room() > 60.0;
        loop {
            let made = match self.rng.below(35) {
                0..4 => Some(self.declaration()),
                4..9 => self.assignment(),
                9 | 10 => self.parallel(),
                11 | 12 if may_nest => Some(self.conditional(depth - 1)),
                13 if may_nest => Some(self.counted(depth - 1)),
                14..17 if may_nest => Some(self.ranged(depth - 1)),
                17 | 18 if may_nest => Some(self.switch(depth - 1)),
                19 if may_nest => Some(self.labelled(depth - 1)),
                20 | 21 => Some(self.show()),
                22 => Some(self.counter()),
                23 | 24 => Some(self.panicking()),
                25 if may_nest => Some(self.deferred(depth - 1)),
                26 | 27 if self.times < 50.0 => Some(self.concurrent()),
                28 => Some(self.aliases()),
                29 | 30 => self.impure_call(),
                31 => Some(self.map_work()),
                32 => self.leave(),
                33 => Some(self.interfaces()),
                34 => Some(self.literals()),
                _ => None,
            };
            if let Some(node) = made {
                return node;
            }
        }
    }

    /// Where a value can be stored: a variable, or a field or element of one.
    fn places(&self) -> Vec<(String, Ty)> {
        fn add(text: String, ty: &Ty, depth: usize, found: &mut Vec<(String, Ty)>) {
            if depth > 0 {
                for (name, field) in ty.fields().unwrap_or_default() {
                    add(format!("{text}.{name}"), &field, depth - 1, found);
                }
                if let Ty::Array(n, e) = ty.under() {
                    add(format!("{text}[uint(¿)%{n}]"), e, depth - 1, found);
                }
            }
            found.push((text, ty.clone()));
        }
        let mut found = Vec::new();
        for v in &self.scope {
            let may = !(v.is_global && self.is_pure);
            match &v.ty {
                Ty::Ptr(to) if !self.is_pure => add(format!("(*{})", v.name), to, 2, &mut found),
                Ty::Ptr(_) => {}
                ty if !v.is_fixed && may => add(v.name.clone(), ty, 2, &mut found),
                _ => {}
            }
        }
        found
    }

    fn place(&mut self, fits: impl Fn(&Ty) -> bool) -> Option<(String, Ty)> {
        let mut all = self.places();
        all.retain(|(_, ty)| fits(ty));
        if all.is_empty() {
            return None;
        }
        let n = all.len();
        let i = self.rng.below(n).max(self.rng.below(n));
        let (text, ty) = all.swap_remove(i);
        let index = self.rng.below(6);
        Some((text.replace('¿', &index.to_string()), ty))
    }

    /// A value to store: strings and slices stay short.
    fn stored(&mut self, ty: &Ty, depth: usize) -> Vec<Part> {
        let value = self.expr(ty, depth);
        match ty.under() {
            Ty::Str => parts!["cut(string(", value, "))"],
            Ty::Slice(_) => parts!["few(", value, ")"],
            _ => parts![value],
        }
    }

    fn declaration(&mut self) -> Node {
        let ty = match self.rng.below(12) {
            0 => Ty::Error,
            1 => Ty::Shape,
            2 => Ty::Func(Rc::new(self.basic()), Rc::new(self.value_type(1))),
            _ => self.value_type(2),
        };
        let name = self.name("v");
        let spelled = ty.spell();
        let node = if self.rng.one_in(8) && !matches!(ty, Ty::Error | Ty::Shape | Ty::Func(..)) {
            Node::item(parts![format!("\tvar {name} {spelled}\n\t_ = {name}\n")])
        } else {
            let value = self.expr(&ty, 3);
            match self.rng.below(3) {
                0 => Node::item(parts![
                    format!("\tvar {name} {spelled} = "),
                    value,
                    format!("\n\t_ = {name}\n"),
                ]),
                _ => Node::item(parts![
                    format!("\t{name} := {spelled}("),
                    value,
                    format!(")\n\t_ = {name}\n"),
                ]),
            }
        };
        let node = match &ty {
            // A type that begins with `func` wants brackets around itself.
            Ty::Func(..) => Node::item(parts![node.print().replacen(
                &format!(":= {spelled}("),
                &format!(":= ({spelled})("),
                1
            )]),
            _ => node,
        };
        self.scope.push(Var {
            is_fixed: matches!(ty, Ty::Func(..)),
            ..Var::local(&name, &ty)
        });
        node
    }

    fn assignment(&mut self) -> Option<Node> {
        let (place, ty) = self.place(|_| true)?;
        let is_integer = ty.is_integer();
        let spelled = ty.spell();
        Some(match self.rng.below(5) {
            0 if ty.is_number() => {
                Node::item(parts![format!("\t{place}{}\n", self.rng.of(&["++", "--"]))])
            }
            1 if is_integer => {
                let value = self.expr(&ty, 2);
                let op = self.rng.of(&["/=", "%="]);
                Node::item(parts![
                    format!("\t{place} {op} id[{spelled}]("),
                    value,
                    ") | 1\n"
                ])
            }
            2 if is_integer => {
                let by = self.unknown(&Ty::Int(6), 1);
                let op = self.rng.of(&["<<=", ">>="]);
                Node::item(parts![format!("\t{place} {op} "), by, " & 31\n"])
            }
            3 if ty.is_number() => {
                let value = self.expr(&ty, 3);
                let ops: &[&str] = match is_integer {
                    true => &["+=", "-=", "*=", "&=", "|=", "^=", "&^="],
                    false => &["+=", "-=", "*="],
                };
                Node::item(parts![
                    format!("\t{place} {} ", self.rng.of(ops)),
                    value,
                    "\n"
                ])
            }
            _ => {
                let mut whole = parts![format!("\t{place} = {}(", bracketed(&spelled))];
                whole.extend(self.stored(&ty, 3));
                whole.push(")\n".into());
                Node::item(whole)
            }
        })
    }

    /// Several assignments at once; the places may be the same, or parts of one another.
    fn parallel(&mut self) -> Option<Node> {
        let (first, ty) = self.place(|_| true)?;
        let like = ty.clone();
        let (second, other) = match self.rng.below(3) {
            0 => (first.clone(), ty.clone()),
            1 => self.place(move |t| *t == like)?,
            _ => self.place(|_| true)?,
        };
        let mut whole = parts![format!("\t{first}, {second} = {}(", bracketed(&ty.spell()))];
        if ty == other && self.rng.one_in(2) {
            whole = parts![format!("\t{first}, {second} = {second}, {first}\n")];
            return Some(Node::item(whole));
        }
        whole.extend(self.stored(&ty, 2));
        whole.push(format!("), {}(", bracketed(&other.spell())).into());
        whole.extend(self.stored(&other, 2));
        whole.push(")\n".into());
        Some(Node::item(whole))
    }

    fn conditional(&mut self, depth: usize) -> Node {
        let condition = self.expr(&Ty::Bool, 2);
        let n = 1 + self.rng.below(2);
        let then = self.block(n, depth);
        let mut whole = parts!["\tif (", condition, ") {\n", then];
        match self.rng.below(3) {
            0 => {
                let ty = self.ordered();
                let name = self.name("v");
                let value = self.expr(&ty, 2);
                self.scope.push(Var::local(&name, &ty));
                let n = 1 + self.rng.below(2);
                let limit = self.expr(&ty, 1);
                let (yes, no) = (self.block(n, depth), self.block(1, depth));
                self.scope.pop();
                whole.extend(parts![
                    format!("\t}} else if {name} := {}(", bracketed(&ty.spell())),
                    value,
                    format!("); {name} < ("),
                    limit,
                    ") {\n",
                    yes,
                    "\t} else {\n",
                    no,
                ]);
            }
            1 => whole.extend(parts!["\t} else {\n", self.block(1, depth)]),
            _ => {}
        }
        whole.push("\t}\n".into());
        Node::item(whole)
    }

    fn counted(&mut self, depth: usize) -> Node {
        let i = self.name("i");
        let n = 1 + self.rng.below(6);
        let (head, ty) = match self.rng.below(4) {
            0 => (format!("for {i} := {n}; {i} > 0; {i}--"), INT),
            1 => (
                format!("for {i} := uint8(250); {i} >= 250; {i}++"),
                Ty::Int(6),
            ),
            2 => (
                format!("for {i} := int16(0); {i} < {n}; {i} += 2"),
                Ty::Int(2),
            ),
            _ => (format!("for {i} := 0; {i} < {n}; {i}++"), INT),
        };
        // Functions that outlive their round keep its variable.
        let keeps = self.rng.one_in(3);
        let body = self.repeated(vec![Var::fixed(&i, &ty)], depth);
        if !keeps {
            return Node::item(parts![format!("\t{head} {{\n"), body, "\t}\n"]);
        }
        let kept = self.name("kept");
        Node::item(parts![
            format!("\tvar {kept} []func() string\n\t{head} {{\n"),
            body,
            format!(
                "\t{kept} = append({kept}, func() string {{ return fmt.Sprint({i}) }})\n\t}}\n"
            ),
            format!("\tfor _, f := range {kept} {{ show(\"kept\", f()) }}\n"),
        ])
    }

    fn ranged(&mut self, depth: usize) -> Node {
        let (k, v) = (self.name("k"), self.name("v"));
        let ty = self.value_type(1);
        let slice = Ty::Slice(Rc::new(ty.clone()));
        let (key, value) = (Var::fixed(&k, &INT), Var::local(&v, &ty));
        let use_both = format!("\t_, _ = {k}, {v}\n");
        let (head, vars, uses) = match self.rng.below(9) {
            0 => {
                let n = self.rng.below(6);
                (
                    parts![format!("{k} := range {n}")],
                    vec![key],
                    format!("\t_ = {k}\n"),
                )
            }
            1 => {
                let to = self.some_integer();
                let spelled = to.spell();
                let n = self.rng.below(6);
                let head = parts![format!("{k} := range {spelled}({n})")];
                (head, vec![Var::fixed(&k, &to)], format!("\t_ = {k}\n"))
            }
            2 => {
                let s = self.expr(&Ty::Str, 2);
                let value = Var::local(&v, &Ty::Int(3));
                (
                    parts![format!("{k}, {v} := range cut("), s, ")"],
                    vec![key, value],
                    use_both,
                )
            }
            3 => {
                let a = self.expr(&Ty::Array(3, Rc::new(ty)), 2);
                (
                    parts![format!("{k}, {v} := range ("), a, ")"],
                    vec![key, value],
                    use_both,
                )
            }
            4 => (
                parts![format!("{k} := range upTo(5)")],
                vec![key],
                format!("\t_ = {k}\n"),
            ),
            5 => {
                let s = self.expr(&slice, 2);
                (
                    parts![
                        format!("{k}, {v} := range pairs[{}](few(", ty.spell()),
                        s,
                        "))"
                    ],
                    vec![key, value],
                    use_both,
                )
            }
            6 => {
                let (a, b) = (self.expr(&ty, 2), self.expr(&ty, 1));
                let head = parts![
                    format!("{v} := range (&List[{}]{{}}).Push(", ty.spell()),
                    a,
                    ").Push(",
                    b,
                    ").All()"
                ];
                (head, vec![value], format!("\t_ = {v}\n"))
            }
            7 => {
                let of = self.key_type();
                let m = self.expr(&Ty::Map(Rc::new(of.clone()), Rc::new(ty)), 2);
                let head = parts![format!("_, {k} := range slices.Sorted(maps.Keys("), m, "))"];
                (head, vec![Var::fixed(&k, &of)], format!("\t_ = {k}\n"))
            }
            _ => {
                let s = self.expr(&slice, 2);
                (
                    parts![format!("{k}, {v} := range few("), s, ")"],
                    vec![key, value],
                    use_both,
                )
            }
        };
        let body = self.repeated(vars, depth);
        let mut whole = parts!["\tfor "];
        whole.extend(head);
        whole.extend(parts![format!(" {{\n{uses}"), body, "\t}\n"]);
        Node::item(whole)
    }

    fn switch(&mut self, depth: usize) -> Node {
        let mut cases = Vec::new();
        let head = match self.rng.below(3) {
            0 => {
                let ty = self.some_integer();
                let tag = self.unknown(&ty, 2);
                let n = 1 + self.rng.below(4);
                for i in 0..n {
                    let body = self.block(1, depth);
                    let label = format!("\tcase {}, {}:\n", i * 10, i * 10 + 1 + self.rng.below(9));
                    let through = i + 1 < n && self.rng.one_in(4);
                    let end = if through { "\tfallthrough\n" } else { "" };
                    cases.push(parts![label, body, end]);
                }
                parts!["\tswitch ", "(", tag, ") % 40 {\n"]
            }
            1 => {
                for _ in 0..1 + self.rng.below(3) {
                    let condition = self.expr(&Ty::Bool, 2);
                    let body = self.block(1, depth);
                    cases.push(parts!["\tcase (", condition, "):\n", body]);
                }
                parts!["\tswitch {\n"]
            }
            _ => {
                let x = self.expr(&Ty::Any, 2);
                let v = self.name("t");
                let mut seen = vec!["any".to_string()];
                for _ in 0..1 + self.rng.below(3) {
                    let ty = self.value_type(1);
                    if seen.contains(&ty.spell()) {
                        continue;
                    }
                    seen.push(ty.spell());
                    self.scope.push(Var::local(&v, &ty));
                    let body = self.block(1, depth);
                    self.scope.pop();
                    cases.push(parts![format!("\tcase {}:\n\t_ = {v}\n", ty.spell()), body]);
                }
                let shown = format!(
                    "\tcase Shape:\n\tshow(\"shape\", {v}.Name())\n\tcase nil:\n\
                     \tshow(\"nil\", {v})\n"
                );
                cases.push(parts![shown]);
                parts![format!("\tswitch {v} := any("), x, ").(type) {\n"]
            }
        };
        let mut whole = head;
        whole.push(cases.into_iter().map(Node::item).collect::<Vec<_>>().into());
        if self.rng.one_in(2) {
            whole.extend(parts!["\tdefault:\n", self.block(1, depth)]);
        }
        whole.push("\t}\n".into());
        Node::item(whole)
    }

    /// Loops that are left and gone on with from inside.
    fn labelled(&mut self, depth: usize) -> Node {
        let (label, i, j) = (self.name("L"), self.name("i"), self.name("j"));
        let inner = match self.rng.below(3) {
            0 => format!("for {j} := range upTo(4)"),
            1 => format!("for {j} := range 4"),
            _ => format!("for {j} := 0; {j} < 4; {j}++"),
        };
        let outer = match self.rng.below(2) {
            0 => format!("for {i} := range upTo(3)"),
            _ => format!("for {i} := 0; {i} < 3; {i}++"),
        };
        let leave = self.rng.of(&["break", "continue"]);
        let vars = vec![Var::fixed(&i, &INT), Var::fixed(&j, &INT)];
        let times = self.times;
        self.times *= 3.0;
        self.labels.push(label.clone());
        let body = self.repeated(vars, depth);
        self.labels.pop();
        self.times = times;
        Node::item(parts![
            format!("{label}:\n\t{outer} {{\n\t{inner} {{\n"),
            format!(
                "\tif {i}*{j} == {} {{ {leave} {label} }}\n",
                1 + self.rng.below(4)
            ),
            body,
            "\t}\n\t}\n",
        ])
    }

    /// Leaves a loop or the function, sometimes.
    fn leave(&mut self) -> Option<Node> {
        let condition = self.expr(&Ty::Bool, 2);
        let what = match self.rng.below(4) {
            0 if self.loops > 0 => parts!["break"],
            1 if self.loops > 0 => parts!["continue"],
            2 if !self.labels.is_empty() => {
                let label = self.labels[self.rng.below(self.labels.len())].clone();
                parts![self.rng.of(&["break ", "continue "]), label]
            }
            _ => {
                let result = self.result.clone()?;
                let value = self.expr(&result, 2);
                parts!["return ", value]
            }
        };
        let mut whole = parts!["\tif (", condition, ") { "];
        whole.extend(what);
        whole.push(" }\n".into());
        Some(Node::item(whole))
    }

    fn show(&mut self) -> Node {
        let name = self.name("s");
        let mut whole = parts![format!("\tshow({name:?}")];
        for _ in 0..1 + self.rng.below(3) {
            let ty = self.value_type(2);
            let value = self.expr(&ty, 3);
            whole.extend(parts![", ", value]);
        }
        whole.push(")\n".into());
        Node::item(whole)
    }

    /// A function literal with a variable of its own that outlives its block.
    fn counter(&mut self) -> Node {
        let ty = self.ordered();
        let spelled = ty.spell();
        let (c, f, d) = (self.name("c"), self.name("add"), self.name("d"));
        let start = self.stored(&ty, 1);
        self.scope.push(Var::local(&d, &ty));
        self.scope.push(Var::local(&c, &ty));
        let mut change = parts![format!("{c} = {spelled}(")];
        change.extend(self.stored(&ty, 2));
        change.push(")".into());
        self.scope.truncate(self.scope.len() - 2);
        let (a, b) = (self.expr(&ty, 1), self.expr(&ty, 1));
        let mut whole = parts![format!("\t{c} := {spelled}(")];
        whole.extend(start);
        whole.push(format!(")\n\t{f} := func({d} {spelled}) {spelled} {{ ").into());
        whole.extend(change);
        whole.extend(parts![
            format!("; return {c} }}\n\tshow({f:?}, {f}("),
            a,
            format!("), {f}("),
            b,
            format!("))\n\tshow({f:?}, {c})\n"),
        ]);
        Node::item(whole)
    }

    /// Function literals that return others, and are given to others.
    fn literals(&mut self) -> Node {
        let ty = self.ordered();
        let t = ty.spell();
        let [make, first, second, twice, k, l, d] =
            ["make", "first", "second", "twice", "k", "l", "d"].map(|n| self.name(n));
        let outer = self.scope.len();
        self.scope.push(Var::local(&k, &ty));
        let local = self.stored(&ty, 1);
        let changed = self.rng.one_in(3).then(|| self.stored(&ty, 1));
        self.scope.push(Var::local(&l, &ty));
        self.scope.push(Var::local(&d, &ty));
        let inner = self.stored(&ty, 2);
        self.scope.truncate(outer);
        self.scope.push(Var::local(&d, &ty));
        let other = self.stored(&ty, 1);
        self.scope.truncate(outer);
        let [a, b, c] = [self.expr(&ty, 1), self.expr(&ty, 1), self.expr(&ty, 1)];
        let mut whole = parts![format!(
            "\t{make} := func({k} {t}) func({t}) {t} {{\n\t{l} := {t}("
        )];
        whole.extend(local);
        whole.push(")\n".into());
        if let Some(changed) = changed {
            whole.push(format!("\t{k} = {t}(").into());
            whole.extend(changed);
            whole.push(")\n".into());
        }
        whole.push(format!("\t_, _ = {k}, {l}\n\treturn func({d} {t}) {t} {{ return {t}(").into());
        whole.extend(inner);
        whole.push(format!(") }}\n\t}}\n\t{first} := {make}({t}(").into());
        whole.extend(parts![a]);
        whole.push(format!("))\n\t{second} := {make}({first}({t}(").into());
        whole.extend(parts![b]);
        whole.push(
            format!(
                ")))\n\t{twice} := func(f func({t}) {t}, x {t}) {t} {{ return f(f(x)) }}\n\
                 \tshow({twice:?}, {twice}({second}, {twice}({first}, {t}("
            )
            .into(),
        );
        whole.extend(parts![c]);
        whole.push(
            format!("))))\n\tshow({second:?}, {twice}(func({d} {t}) {t} {{ return {t}(").into(),
        );
        whole.extend(other);
        whole.push(format!(") }}, {first}({second}(*new({t})))))\n").into());
        Node::item(whole)
    }

    /// One operation that can panic, in a `try`.
    fn panicking(&mut self) -> Node {
        let name = self.name("try");
        let ty = self.value_type(1);
        let spelled = ty.spell();
        let (x, n, s) = (self.name("x"), self.name("n"), self.name("y"));
        let number = self.unknown(&INT, 2);
        let mut whole = parts![
            format!("\ttry({name:?}, func() {{\n\t{n} := int(int8("),
            number,
            format!("))\n\t_ = {n}\n"),
        ];
        let body = match self.rng.below(16) {
            0 | 1 => {
                let v = self.expr(&Ty::Slice(Rc::new(ty)), 2);
                parts![
                    format!("\t{x} := few("),
                    v,
                    format!(")\n\tshow({name:?}, {x}[{n}])\n")
                ]
            }
            2 => {
                let v = self.expr(&Ty::Slice(Rc::new(ty)), 2);
                let (a, b) = (self.rng.below(5), self.rng.below(5));
                let form = [
                    format!("{x}[{n}:]"),
                    format!("{x}[:{n}]"),
                    format!("{x}[{a}:{n}]"),
                    format!("{x}[{n}:{b}]"),
                    format!("{x}[:{a}:{n}%4]"),
                ][self.rng.below(5)]
                .clone();
                parts![
                    format!("\t{x} := slices.Clip(few("),
                    v,
                    format!("))\n\tshow({name:?}, {form})\n")
                ]
            }
            3 => {
                let v = self.expr(&Ty::Array(4, Rc::new(ty)), 2);
                parts![
                    format!("\t{x} := [4]{spelled}("),
                    v,
                    format!(")\n\t{x}[{n}] = {x}[0]\n\tshow({name:?}, {x})\n")
                ]
            }
            4 => {
                let of = self.some_integer();
                let spelled = of.spell();
                let (a, b) = (self.expr(&of, 2), self.expr(&of, 2));
                let op = self.rng.of(&["/", "%"]);
                parts![
                    format!("\t{x}, {s} := {spelled}("),
                    a,
                    format!("), {spelled}("),
                    b,
                    format!(")\n\tshow({name:?}, {x} {op} ({s} & 1))\n"),
                ]
            }
            5 => {
                let of = self.some_integer();
                let spelled = of.spell();
                let a = self.expr(&of, 2);
                let op = self.rng.of(&["<<", ">>"]);
                parts![
                    format!("\t{x} := {spelled}("),
                    a,
                    format!(")\n\tshow({name:?}, {x} {op} {n})\n")
                ]
            }
            6 => {
                let a = self.expr(&Ty::Any, 2);
                parts![
                    format!("\t{x} := any("),
                    a,
                    format!(")\n\tshow({name:?}, {x}.({spelled}))\n")
                ]
            }
            7 => parts![format!(
                "\tvar {x} map[string]{spelled}\n\tshow({name:?}, len({x}), {x}[\"a\"])\n\
                 \t{x}[\"a\"] = *new({spelled})\n\t_ = {n}\n"
            )],
            8 => parts![format!(
                "\tvar {x} *Pair[int, {spelled}]\n\
                 \tif {n} > 100 {{ {x} = new(Pair[int, {spelled}]) }}\n\tshow({name:?}, {x}.b)\n"
            )],
            9 => parts![format!(
                "\t{x} := make([]{spelled}, {n})\n\tshow({name:?}, len({x}))\n"
            )],
            10 => {
                let v = self.expr(&Ty::Slice(Rc::new(ty)), 2);
                let k = self.rng.below(4);
                parts![
                    format!("\t{x} := few("),
                    v,
                    format!(")\n\tshow({name:?}, [{k}]{spelled}({x}), {n})\n"),
                ]
            }
            11 => {
                let v = self.expr(&Ty::Str, 2);
                parts![
                    format!("\t{x} := string("),
                    v,
                    format!(")\n\tshow({name:?}, {x}[{n}], {x}[{n}:])\n")
                ]
            }
            12 => {
                let v = self.expr(&ty, 2);
                parts![
                    format!("\tdefer show({name:?}, \"deferred\", {n})\n\tpanic(any("),
                    v,
                    "))\n"
                ]
            }
            13 => {
                let v = self.expr(&Ty::Error, 2);
                parts![
                    format!(
                        "\tdefer func() {{ show({name:?}, recover(), {n}); \
                         panic(fmt.Sprint(\"again\", {n})) }}()\n\tpanic("
                    ),
                    v,
                    ")\n",
                ]
            }
            14 => parts![format!(
                "\t{x} := make(chan {spelled}, 1)\n\tclose({x})\n\t{s}, ok := <-{x}\n\
                 \tshow({name:?}, {s}, ok, {n})\n\
                 \tif {n}%2 == 0 {{ close({x}) }} else {{ {x} <- {s} }}\n"
            )],
            _ => {
                let v = self.expr(&ty, 2);
                parts![
                    format!("\tvar {x} any = []any{{{n}}}\n\tif {n} > 50 {{ {x} = any("),
                    v,
                    format!(") }}\n\tshow({name:?}, {x} == {x}, map[any]int{{{x}: {n}}})\n"),
                ]
            }
        };
        whole.extend(body);
        whole.push("\t})\n".into());
        Node::item(whole)
    }

    fn deferred(&mut self, depth: usize) -> Node {
        let name = self.name("try");
        let outer = self.scope.len();
        let pure = std::mem::replace(&mut self.is_pure, true);
        let (first, second, body) = self.apart(|g| {
            let of = g.value_type(1);
            let shown = g.expr(&of, 2);
            (shown, g.block(1, depth), g.block(2, depth))
        });
        self.is_pure = pure;
        self.scope.truncate(outer);
        let n = 1 + self.rng.below(3);
        Node::item(parts![
            format!("\ttry({name:?}, func() {{\n\tfor i := range {n} {{ defer show({name:?}, i, "),
            first,
            ") }\n\tdefer func() {\n",
            second,
            "\t}()\n",
            body,
            "\t})\n",
        ])
    }

    fn concurrent(&mut self) -> Node {
        self.cost += self.times * 60.0;
        let times = self.times;
        self.times *= 4.0;
        self.is_quiet = true;
        let node = self.concurrent_form();
        self.is_quiet = false;
        self.times = times;
        node
    }

    fn concurrent_form(&mut self) -> Node {
        let (c, i, w) = (self.name("c"), self.name("i"), self.name("w"));
        let ty = self.value_type(1);
        let spelled = ty.spell();
        let n = 1 + self.rng.below(4);
        let outer = self.scope.len();
        self.scope.push(Var::fixed(&i, &INT));
        let value = self.expr(&ty, 2);
        let number = self.expr(&Ty::Int(4), 2);
        self.scope.truncate(outer);
        let buffer = self.rng.of(&["", ", 1", ", 4"]);
        match self.rng.below(7) {
            // Each writes its own element.
            0 => Node::item(parts![
                format!("\tvar {w} sync.WaitGroup\n\t{c} := make([]{spelled}, {n})\n"),
                format!("\tfor {i} := range {n} {{ _ = {i}; {w}.Go(func() {{ {c}[{i}] = "),
                value,
                format!(" }}) }}\n\t{w}.Wait()\n\tshow({c:?}, {c})\n"),
            ]),
            // In order through a channel that is closed.
            1 => Node::item(parts![
                format!(
                    "\t{c} := make(chan {spelled}{buffer})\n\tgo func() {{\n\tdefer close({c})\n"
                ),
                format!("\tfor {i} := range {n} {{ _ = {i}; {c} <- "),
                value,
                format!(" }}\n\t}}()\n\tfor {w} := range {c} {{ show({c:?}, {w}) }}\n"),
            ]),
            // A sum, whose order does not matter.
            2 => Node::item(parts![
                format!(
                    "\t{c} := make(chan int64{buffer})\n\
                     \tfor {i} := range {n} {{ _ = {i}; go func() {{ {c} <- "
                ),
                number,
                format!(
                    " }}() }}\n\tvar {w} int64\n\tfor range {n} {{ {w} += <-{c} }}\n\
                     \tshow({c:?}, {w})\n"
                ),
            ]),
            // Under a lock, or atomically.
            3 => Node::item(parts![
                format!(
                    "\tvar {w} sync.WaitGroup\n\
                     \tvar {c} struct {{ sync.Mutex; n int64; a atomic.Int64 }}\n"
                ),
                format!(
                    "\tfor {i} := range {n} {{ _ = {i}; {w}.Add(1); go func() {{ defer {w}.Done(); \
                     x := "
                ),
                number,
                format!("; {c}.Lock(); {c}.n ^= x; {c}.Unlock(); {c}.a.Add(x) }}() }}\n"),
                format!("\t{w}.Wait()\n\tshow({c:?}, {c}.n, {c}.a.Load())\n"),
            ]),
            // Two channels that end, one after the other or not.
            4 => Node::item(parts![
                format!("\t{c}, {w} := make(chan int64{buffer}), make(chan {spelled})\n"),
                format!("\tgo func() {{ for {i} := range {n} {{ _ = {i}; {c} <- "),
                number,
                format!(
                    " }}; close({c}) }}()\n\tgo func() {{ for {i} := range {n} {{ _ = {i}; {w} <- "
                ),
                value,
                format!(
                    " }}; close({w}) }}()\n\tfunc() {{\n\tx, y, a, b := int64(0), 0, {c}, {w}\n"
                ),
                "\tfor a != nil || b != nil {\n\tselect {\n\tcase v, ok := <-a:\n\
                 \tif x += v; !ok { a = nil }\n",
                "\tcase v, ok := <-b:\n\tif y += len(fmt.Sprint(v)); !ok { b = nil }\n\t}\n\t}\n",
                format!("\tshow({c:?}, x, y)\n\t}}()\n"),
            ]),
            // What is ready at once.
            5 => Node::item(parts![
                format!(
                    "\t{c} := make(chan {spelled}, 1)\n\tfor {i} := range {n} {{\n\tselect {{\n\
                     \tcase {c} <- "
                ),
                value,
                format!(
                    ":\n\tshow({c:?}, \"sent\", {i})\n\tdefault:\n\tshow({c:?}, <-{c})\n\t}}\n\
                     \t}}\n"
                ),
            ]),
            // A goroutine that ends by a panic of its own or by Goexit.
            _ => Node::item(parts![
                format!(
                    "\tvar {w} sync.WaitGroup\n\t{w}.Add(1)\n\tgo func() {{\n\tdefer {w}.Done()\n\
                     \ttry({c:?}, func() {{\n"
                ),
                format!("\tdefer show({c:?}, \"leaves\")\n\t{i} := {n}\n\t_ = {i}\n\tif ("),
                number,
                ") % 2 == 0 { runtime.Goexit() }\n\tpanic(any(",
                value,
                format!("))\n\t}})\n\t}}()\n\t{w}.Wait()\n"),
            ]),
        }
    }

    /// Several names of one memory.
    fn aliases(&mut self) -> Node {
        let ty = self.value_type(1);
        let spelled = ty.spell();
        let (x, p, q) = (self.name("x"), self.name("p"), self.name("q"));
        let (a, b) = (self.expr(&ty, 2), self.expr(&ty, 2));
        match self.rng.below(5) {
            0 => Node::item(parts![
                format!("\t{x} := [3]{spelled}{{"),
                a,
                format!("}}\n\t{p}, {q} := &{x}[0], {x}\n\t*{p} = "),
                b,
                format!("\n\tshow({x:?}, {x}, {q}, *{p})\n"),
            ]),
            1 => {
                let (n, m) = (self.rng.below(3), 1 + self.rng.below(3));
                Node::item(parts![
                    format!(
                        "\t{x} := make([]{spelled}, {n}, {})\n\t{p} := append({x}, ",
                        n + m
                    ),
                    a,
                    format!(")\n\t{q} := append({x}, "),
                    b,
                    format!(
                        ")\n\tshow({x:?}, {x}, {p}, {q}, {x}[:{}], cap({p}))\n",
                        n + 1
                    ),
                ])
            }
            2 => Node::item(parts![
                format!("\t{x} := []{spelled}{{"),
                a,
                ", ",
                b,
                format!(
                    ", *new({spelled})}}\n\t{p} := {x}[1:]\n\tcopy({x}[{}:], {x})\n",
                    self.rng.below(3)
                ),
                format!(
                    "\tfor {q}, v := range {p} {{ {p}[len({p})-1-{q}] = v }}\n\
                     \tshow({x:?}, {x}, {p})\n"
                ),
            ]),
            3 => Node::item(parts![
                format!("\t{x} := [2]{spelled}{{"),
                a,
                format!("}}\n\tfor {p}, {q} := range {x} {{ {x}[1-{p}] = "),
                b,
                format!(
                    "; show({x:?}, {p}, {q}) }}\n\
                     \tfor {p}, {q} := range &{x} {{ {x}[1-{p}] = *new({spelled}); show({x:?}, \
                     {q}) }}\n"
                ),
            ]),
            _ => {
                let node = Node::item(parts![
                    format!("\t{x} := {}(", bracketed(&spelled)),
                    a,
                    format!(")\n\t{p} := &{x}\n\tfunc() {{ *{p} = "),
                    b,
                    format!(" }}()\n\t{q} := {x}\n\tshow({x:?}, {q})\n"),
                ]);
                self.scope.push(Var::local(&x, &ty));
                self.scope.push(Var::fixed(&p, &Ty::Ptr(Rc::new(ty))));
                node
            }
        }
    }

    /// A call of a function that may change what it is given and the globals.
    fn impure_call(&mut self) -> Option<Node> {
        if self.is_pure {
            return None;
        }
        let room = self.room();
        let fitting: Vec<usize> = (0..self.funcs.len())
            .filter(|&i| !self.funcs[i].is_pure && self.funcs[i].cost <= room)
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let f = self.funcs[fitting[self.rng.below(fitting.len())]].clone();
        self.cost += self.times * f.cost;
        let v = self.name("v");
        let mut whole = match &f.method {
            Method::None => parts![format!("\t{v} := {}(", f.name)],
            Method::Value(of) | Method::Pointer(of) => {
                let like = Ty::Named(of.clone());
                let (place, _) = self.place(|t| *t == like)?;
                parts![format!("\t{v} := {place}.{}(", f.name)]
            }
        };
        for arg in &f.args {
            let value = self.expr(arg, 2);
            whole.extend(parts![value, ", "]);
        }
        whole.push(format!(")\n\t_ = {v}\n").into());
        self.scope.push(Var::local(&v, &f.result));
        Some(Node::item(whole))
    }

    fn map_work(&mut self) -> Node {
        let k = self.key_type();
        let ty = self.value_type(1);
        let (m, v) = (self.name("m"), self.name("v"));
        let map = Ty::Map(Rc::new(k.clone()), Rc::new(ty.clone()));
        let start = self.expr(&map, 2);
        let (a, b, c) = (self.expr(&k, 1), self.expr(&k, 1), self.expr(&k, 1));
        let value = self.expr(&ty, 2);
        let sum = self.name("sum");
        Node::item(parts![
            format!("\t{m} := maps.Clone({}(", map.spell()),
            start,
            format!(
                "))\n\tif {m} == nil {{ {m} = {}{{}} }}\n\t{m}[",
                map.spell()
            ),
            a,
            "] = ",
            value,
            format!("\n\tdelete({m}, "),
            b,
            format!(")\n\t{v}, ok := {m}["),
            c,
            format!(
                "]\n\tvar {sum} int\n\
                 \tfor key, val := range {m} {{ {sum} += len(fmt.Sprint(key, val)) }}\n"
            ),
            format!("\tshow({m:?}, {m}, len({m}), {v}, ok, {sum})\n"),
        ])
        .in_block()
    }

    /// Method values, promoted methods, interfaces that hold values and pointers.
    fn interfaces(&mut self) -> Node {
        let (x, f) = (self.name("x"), self.name("f"));
        let shape = self.expr(&Ty::Shape, 2);
        let n = self.expr(&INT, 2);
        let e = self.expr(&Ty::Error, 2);
        Node::item(parts![
            format!("\t{x} := Shape("),
            shape,
            format!(")\n\t{f} := {x}.Size\n\tshow({x:?}, {f}("),
            n,
            format!("), {x}.Name(), Shape.Name({x}))\n\tif c, ok := error("),
            e,
            format!(").(Coded); ok {{ show({x:?}, c.code, c) }}\n"),
        ])
    }
}

impl Node {
    /// The statements in a block of their own.
    fn in_block(self) -> Node {
        Node::item(parts!["\t{\n", self, "\t}\n"])
    }
}

/// A type's name as it stands in a conversion.
fn bracketed(spelled: &str) -> String {
    match spelled.starts_with("func") || spelled.starts_with('*') {
        true => format!("({spelled})"),
        false => spelled.to_string(),
    }
}
