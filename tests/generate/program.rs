//! Whole programs: types, constants, variables,
//! functions and methods, and a `main` that calls them all.
//!
//! A program ends: loops run a few times each, functions call only functions that stand before
//! them, and what calls cost is added up ([`Gen::room`]).

use crate::tree::{Node, parts};
use crate::types::{INT, INTEGERS, Named, Ty, Under};
use std::rc::Rc;

/// The most that a function may cost, in steps of roughly one operation.
const MOST: f64 = 20_000.0;

pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    /// The next number. splitmix64.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
    pub(crate) fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Var {
    pub(crate) name: String,
    pub(crate) ty: Ty,
    pub(crate) is_fixed: bool,
    pub(crate) is_global: bool,
}

impl Var {
    pub(crate) fn fixed(name: &str, ty: &Ty) -> Var {
        Var {
            is_fixed: true,
            ..Var::local(name, ty)
        }
    }
    pub(crate) fn local(name: &str, ty: &Ty) -> Var {
        Var {
            name: name.into(),
            ty: ty.clone(),
            is_fixed: false,
            is_global: false,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Method {
    None,
    Value(Rc<Named>),
    Pointer(Rc<Named>),
}

#[derive(Clone, Debug)]
pub(crate) struct Func {
    pub(crate) name: String,
    pub(crate) method: Method,
    pub(crate) args: Vec<Ty>,
    pub(crate) result: Ty,
    /// Changes nothing that is visible outside but the trail.
    pub(crate) is_pure: bool,
    pub(crate) cost: f64,
}

/// A type that implements the prelude's `Shape`.
#[derive(Clone)]
pub(crate) struct Shape {
    pub(crate) named: Rc<Named>,
    pub(crate) by_pointer: bool,
}

pub(crate) struct Gen {
    pub(crate) rng: Rng,
    pub(crate) named: Vec<Rc<Named>>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) funcs: Vec<Func>,
    pub(crate) scope: Vec<Var>,
    /// May what is made now change variables that are visible outside?
    pub(crate) is_pure: bool,
    /// Does what is made now run beside others, or where nothing is counted?
    /// Then it leaves no trail.
    pub(crate) is_quiet: bool,
    /// How often what is made now runs in one run of its function,
    /// and what the function costs so far.
    pub(crate) times: f64,
    pub(crate) cost: f64,
    pub(crate) loops: usize,
    pub(crate) labels: Vec<String>,
    pub(crate) result: Option<Ty>,
    count: usize,
}

/// A program of about `size` functions.
pub(crate) fn program(seed: u64, size: usize) -> Node {
    let mut g = Gen {
        rng: Rng(seed.wrapping_mul(0xa076_1d64_78bd_642f)),
        named: Vec::new(),
        shapes: Vec::new(),
        funcs: Vec::new(),
        scope: Vec::new(),
        is_pure: true,
        is_quiet: false,
        times: 1.0,
        cost: 0.0,
        loops: 0,
        labels: Vec::new(),
        result: None,
        count: 0,
    };
    let mut decls = g.types();
    decls.extend(g.constants());
    decls.extend(g.globals());
    for _ in 0..size {
        let decl = match g.rng.below(8) {
            0 => g.generic(),
            1 | 2 => g.method(),
            _ => g.function(),
        };
        decls.push(decl);
    }
    let main = g.main();
    Node::item(parts![include_str!("prelude.go"), "\n", decls, main])
}

impl Gen {
    pub(crate) fn number(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    pub(crate) fn name(&mut self, letter: &str) -> String {
        format!("{letter}{}", self.number())
    }

    /// What one call may cost where we are.
    pub(crate) fn room(&self) -> f64 {
        (MOST - self.cost) / self.times
    }

    pub(crate) fn some_integer(&mut self) -> Ty {
        let like: Vec<Ty> = self
            .named
            .iter()
            .map(|n| Ty::Named(n.clone()))
            .filter(|t| t.is_integer())
            .collect();
        match self.rng.below(5) {
            0 if !like.is_empty() => like[self.rng.below(like.len())].clone(),
            1 => INT,
            _ => Ty::Int(self.rng.below(INTEGERS.len())),
        }
    }

    pub(crate) fn basic(&mut self) -> Ty {
        match self.rng.below(12) {
            0 => Ty::Float(64),
            1 => Ty::Float(32),
            2 => Ty::Complex(128),
            3 if self.rng.one_in(2) => Ty::Complex(64),
            4 => Ty::Bool,
            5 | 6 => Ty::Str,
            7 => INT,
            _ => self.some_integer(),
        }
    }

    pub(crate) fn ordered(&mut self) -> Ty {
        loop {
            let ty = self.basic();
            if ty.is_ordered() {
                return ty;
            }
        }
    }

    pub(crate) fn key_type(&mut self) -> Ty {
        match self.rng.below(3) {
            0 => Ty::Str,
            1 => INT,
            _ => Ty::Int(1 + self.rng.below(INTEGERS.len() - 1)),
        }
    }

    /// A type whose values can be kept and shown.
    pub(crate) fn value_type(&mut self, depth: usize) -> Ty {
        if depth == 0 {
            return self.basic();
        }
        let depth = depth - 1;
        match self.rng.below(12) {
            0 | 1 if !self.named.is_empty() => {
                Ty::Named(self.named[self.rng.below(self.named.len())].clone())
            }
            2 | 3 => Ty::Slice(Rc::new(self.value_type(depth))),
            4 => Ty::Array(1 + self.rng.below(5), Rc::new(self.value_type(depth))),
            5 => Ty::Map(Rc::new(self.key_type()), Rc::new(self.value_type(depth))),
            6 => Ty::Pair(
                Rc::new(self.value_type(depth)),
                Rc::new(self.value_type(depth)),
            ),
            7 if self.rng.one_in(3) => Ty::Any,
            _ => self.basic(),
        }
    }

    fn declare(&mut self, name: String, under: Under) -> Rc<Named> {
        let named = Rc::new(Named { name, under });
        self.named.push(named.clone());
        named
    }

    fn types(&mut self) -> Vec<Node> {
        let mut decls = Vec::new();
        for i in 0..3 {
            let like = self.basic();
            decls.push(Node::item(parts![format!(
                "type D{i} {}\n\n",
                like.spell()
            )]));
            let like = like.under().clone();
            let d = self.declare(format!("D{i}"), Under::Like(like));
            decls.push(self.shape_methods(&d, false));
        }
        for i in 0..2 {
            let ty = match i {
                0 => Ty::Slice(Rc::new(self.value_type(1))),
                _ => Ty::Map(Rc::new(self.key_type()), Rc::new(self.value_type(1))),
            };
            decls.push(Node::item(parts![format!("type L{i} {}\n\n", ty.spell())]));
            self.declare(format!("L{i}"), Under::Like(ty));
        }
        let mut embedded: Option<Rc<Named>> = None;
        for i in 0..4 {
            let mut fields = Vec::new();
            let mut lines = Vec::new();
            if let Some(inner) = embedded.clone().filter(|_| self.rng.one_in(2)) {
                lines.push(format!("\t{}\n", inner.name));
                fields.push((inner.name.clone(), Ty::Named(inner)));
            }
            for j in 0..1 + self.rng.below(4) {
                let ty = self.value_type(2);
                let name = format!("f{i}{}", (b'a' + j as u8) as char);
                lines.push(format!("\t{name} {}\n", ty.spell()));
                fields.push((name, ty));
            }
            let text = format!("type S{i} struct {{\n{}}}\n\n", lines.concat());
            decls.push(Node::item(parts![text]));
            let s = self.declare(format!("S{i}"), Under::Struct(fields));
            let by_pointer = self.rng.one_in(2);
            decls.push(self.shape_methods(&s, by_pointer));
            embedded = Some(s);
        }
        decls
    }

    fn shape_methods(&mut self, of: &Rc<Named>, by_pointer: bool) -> Node {
        let (name, star) = (&of.name, if by_pointer { "*" } else { "" });
        let receiver = match by_pointer {
            true => Ty::Ptr(Rc::new(Ty::Named(of.clone()))),
            false => Ty::Named(of.clone()),
        };
        self.scope = vec![Var::fixed("k", &INT), Var::fixed("r", &receiver)];
        let others = std::mem::take(&mut self.shapes);
        self.is_quiet = true;
        let size = self.expr(&INT, 2);
        self.is_quiet = false;
        self.shapes = others;
        self.scope.clear();
        self.shapes.push(Shape {
            named: of.clone(),
            by_pointer,
        });
        let mut string = String::new();
        if self.rng.one_in(4) {
            string = format!("func (r {name}) String() string {{ return \"<{name}>\" }}\n");
        }
        Node::item(parts![
            format!("func (r {star}{name}) Size(k int) int {{ return "),
            size,
            format!(" }}\nfunc (r {star}{name}) Name() string {{ return \"{name}\" }}\n{string}\n"),
        ])
    }

    /// Constants: their arithmetic is the compiler's.
    fn constants(&mut self) -> Vec<Node> {
        let mut decls = Vec::new();
        let mut known: Vec<(String, i128)> = Vec::new();
        for i in 0..6 {
            let (text, value) = self.constant(&known, 3);
            let name = format!("K{i}");
            let float = self.rng.of(&["7.0", "3", "0x1p4", "1e3"]);
            decls.push(Node::item(parts![format!(
                "const {name} = {text}\nconst Q{i} = {name} / {float}\n"
            )]));
            known.push((name, value));
        }
        let mut list = Vec::new();
        for (i, (name, value)) in known.iter().enumerate() {
            if value.unsigned_abs() < 1 << 60 {
                list.push(Node::item(parts![format!(
                    "\tvar k{i} int = {name}\n\
                     \tvar q{i} float64 = Q{i}\n\tvar r{i} float32 = Q{i}\n\
                     \tshow(\"k\", k{i}, q{i}, r{i}, Q{i} > 1)\n"
                )]));
            }
        }
        decls.push(Node::item(parts!["\nfunc constants() {\n", list, "}\n\n"]));
        decls
    }

    fn constant(&mut self, known: &[(String, i128)], depth: usize) -> (String, i128) {
        if depth == 0 || self.rng.one_in(5) {
            if !known.is_empty() && self.rng.one_in(3) {
                return known[self.rng.below(known.len())].clone();
            }
            let value = self.rng.below(100) as i128;
            return (value.to_string(), value);
        }
        let (a, x) = self.constant(known, depth - 1);
        let (b, y) = self.constant(known, depth - 1);
        let most: i128 = 1 << 90;
        let fits = |v: i128| v.abs() < most;
        match self.rng.below(9) {
            0 if fits(x + y) => (format!("({a} + {b})"), x + y),
            1 if fits(x - y) => (format!("({a} - {b})"), x - y),
            2 if x.abs() < 1 << 40 && y.abs() < 1 << 40 => (format!("({a} * {b})"), x * y),
            3 if y != 0 => (format!("({a} / {b})"), x / y),
            4 if y != 0 => (format!("({a} % {b})"), x % y),
            5 => (format!("({a} & {b})"), x & y),
            6 => (format!("({a} ^ {b})"), x ^ y),
            7 if x.abs() < 1 << 40 && (0..40).contains(&y) => (format!("({a} << {b})"), x << y),
            8 => (format!("({a} &^ {b})"), x & !y),
            _ => (a, x),
        }
    }

    fn globals(&mut self) -> Vec<Node> {
        let mut decls = Vec::new();
        for i in 0..5 {
            let ty = self.value_type(2);
            let value = self.expr(&ty, 3);
            let name = format!("G{i}");
            decls.push(Node::item(parts![
                format!("var {name} {} = ", ty.spell()),
                value,
                "\n"
            ]));
            self.scope.push(Var {
                is_global: true,
                ..Var::local(&name, &ty)
            });
        }
        decls
    }

    /// Makes the body of a function with the variables `args` on top of the globals.
    fn body(&mut self, args: Vec<Var>, result: &Ty, is_pure: bool) -> (Vec<Node>, Node, f64) {
        let outer = self.scope.len();
        self.scope.extend(args);
        // A global that other functions change must not be read beside calls:
        // functions that change them are called alone.
        self.is_pure = is_pure;
        (self.times, self.cost, self.loops) = (1.0, 1.0, 0);
        self.result = Some(result.clone());
        let n = 2 + self.rng.below(5);
        let list = self.block(n, 3);
        let value = self.expr(result, 3);
        self.scope.truncate(outer);
        self.result = None;
        self.is_pure = true;
        (list, value, self.cost)
    }

    fn arguments(&mut self) -> Vec<Var> {
        (0..self.rng.below(4))
            .map(|_| {
                let ty = self.value_type(2);
                Var::local(&self.name("a"), &ty)
            })
            .collect()
    }

    fn function(&mut self) -> Node {
        let args = self.arguments();
        let result = self.value_type(2);
        let is_pure = self.rng.one_in(2);
        let name = self.name("f");
        let tys: Vec<Ty> = args.iter().map(|a| a.ty.clone()).collect();
        let head = spell_args(&args);
        let (list, value, cost) = self.body(args, &result, is_pure);
        let spelled = result.spell();
        let decl = match self.rng.below(4) {
            // A result with a name, changed by what is deferred.
            0 => {
                let ty = result.clone();
                self.scope.push(Var::fixed("res", &ty));
                let change = self.expr(&ty, 1);
                self.scope.pop();
                Node::item(parts![
                    format!("func {name}({head}) (res {spelled}) {{\n"),
                    "\tdefer func() { if trail%2 == 0 { res = ",
                    change,
                    " } }()\n",
                    list,
                    "\treturn ",
                    value,
                    "\n}\n\n",
                ])
            }
            _ => Node::item(parts![
                format!("func {name}({head}) {spelled} {{\n"),
                list,
                "\treturn ",
                value,
                "\n}\n\n",
            ]),
        };
        self.funcs.push(Func {
            name,
            method: Method::None,
            args: tys,
            result,
            is_pure,
            cost,
        });
        decl
    }

    fn method(&mut self) -> Node {
        let of = self.named[self.rng.below(self.named.len())].clone();
        let args = self.arguments();
        let result = self.value_type(1);
        let name = self.name("m");
        let by_pointer = self.rng.one_in(2) && of.name.starts_with('S');
        let tys: Vec<Ty> = args.iter().map(|a| a.ty.clone()).collect();
        let head = spell_args(&args);
        let receiver = Ty::Named(of.clone());
        let mut vars = vec![match by_pointer {
            true => Var::fixed("r", &Ty::Ptr(Rc::new(receiver))),
            false => Var::local("r", &receiver),
        }];
        vars.extend(args);
        // By a value nothing is changed outside, unless it is a slice or a map.
        let is_pure = !by_pointer || self.rng.one_in(2);
        let (list, value, cost) = self.body(vars, &result, is_pure);
        let star = if by_pointer { "*" } else { "" };
        let decl = Node::item(parts![
            format!(
                "func (r {star}{}) {name}({head}) {} {{\n",
                of.name,
                result.spell()
            ),
            list,
            "\treturn ",
            value,
            "\n}\n\n",
        ]);
        let method = match by_pointer {
            true => Method::Pointer(of),
            false => Method::Value(of),
        };
        self.funcs.push(Func {
            name,
            method,
            args: tys,
            result,
            is_pure,
            cost,
        });
        decl
    }

    /// A generic function, as one function for each of some types.
    fn generic(&mut self) -> Node {
        let is_integer = self.rng.one_in(2);
        let t = Ty::Param("T", is_integer);
        let constraint = if is_integer { "Integer" } else { "Number" };
        let name = self.name("g");
        let args = vec![
            Var::local("x", &t),
            Var::local("y", &t),
            Var::local("s", &Ty::Slice(Rc::new(t.clone()))),
            Var::local("n", &INT),
        ];
        let head = spell_args(&args);
        // A type of its own, which is another one in each instance.
        let mut local = String::new();
        if self.rng.one_in(2) {
            let fields = vec![("a".to_string(), t.clone()), ("b".into(), self.basic())];
            let spelled: Vec<String> = fields
                .iter()
                .map(|(name, ty)| format!("{name} {}", ty.spell()))
                .collect();
            let name = self.name("L");
            local = format!("\ttype {name} struct {{ {} }}\n", spelled.join("; "));
            let under = Under::Struct(fields);
            self.named.push(Rc::new(Named { name, under }));
        }
        let (list, value, cost) = self.body(args, &t, true);
        if !local.is_empty() {
            self.named.pop();
        }
        for _ in 0..3 {
            let of = match is_integer {
                true => self.some_integer(),
                false => Ty::Float(if self.rng.one_in(2) { 32 } else { 64 }),
            };
            self.funcs.push(Func {
                name: format!("{name}[{}]", of.spell()),
                method: Method::None,
                args: vec![of.clone(), of.clone(), Ty::Slice(Rc::new(of.clone())), INT],
                result: of,
                is_pure: true,
                cost,
            });
        }
        Node::item(parts![
            format!("func {name}[T {constraint}]({head}) T {{\n{local}"),
            list,
            "\treturn ",
            value,
            "\n}\n\n",
        ])
    }

    fn main(&mut self) -> Node {
        let mut list = vec![Node::item(parts!["\tpart(\"constants\", constants)\n"])];
        let funcs = self.funcs.clone();
        for f in funcs {
            (self.times, self.cost) = (1.0, 0.0);
            let mut parts = parts![format!("\tpart({:?}, func() {{ show(\"=\", ", f.name)];
            match &f.method {
                Method::None => parts.push(f.name.clone().into()),
                Method::Value(of) | Method::Pointer(of) => {
                    let value = self.literal(&Ty::Named(of.clone()), 2);
                    let amp = if matches!(f.method, Method::Pointer(_)) {
                        "&"
                    } else {
                        ""
                    };
                    parts.extend(parts![format!("({amp}"), value, format!(").{}", f.name)]);
                }
            }
            parts.push("(".into());
            for arg in &f.args {
                let value = self.expr(arg, 2);
                parts.extend(parts![value, ", "]);
            }
            parts.push(")) })\n".into());
            list.push(Node::item(parts));
        }
        let globals: Vec<String> = self.scope.iter().map(|v| v.name.clone()).collect();
        for name in globals {
            list.push(Node::item(parts![format!("\tfmt.Println({name})\n")]));
        }
        let end = match self.rng.below(8) {
            0 => "\tos.Exit(3)\n".to_string(),
            1 => {
                let value = self.literal(&Ty::Any, 1).print();
                format!("\tpanic({value})\n")
            }
            2 => "\tpanic(failure(2))\n".to_string(),
            _ => String::new(),
        };
        list.push(Node::item(parts![end]));
        Node::item(parts!["func main() {\n", list, "}\n"])
    }
}

fn spell_args(args: &[Var]) -> String {
    let spelled: Vec<String> = args
        .iter()
        .map(|a| format!("{} {}", a.name, a.ty.spell()))
        .collect();
    spelled.join(", ")
}
