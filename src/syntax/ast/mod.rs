//! The syntax tree of Go.
//!
//! Nodes are plain data made by the parser, read by the checker and the compiler, never changed.
//! Each expression carries a [`NodeId`], unique in the process: the checker's findings are vectors
//! indexed by it. Positions are [`Pos`] offsets into the process's
//! [`SourceMap`](source::SourceMap).
//!
//! # Invariants
//!
//! - A1. What the grammar accepts too generously (any list as a statement, any operand before a
//!   composite literal's braces, …) has been rejected by `parser::actions` before a tree is handed
//!   out.
//! - A2. Trees may be very deep to the left (`a + b + …`): walk the left spine in a loop. Every
//!   other recursion is bounded by the parser's nesting limit. Trees are leaked, not dropped.
//!
//! Spec: the whole syntax. Go: cmd/compile/internal/syntax/nodes.go.

pub mod literal;
mod numbered;
pub mod print;

pub use numbered::{read, write};

use serde::{Deserialize, Serialize};
use source::Pos;
use std::sync::atomic::{AtomicU32, Ordering};

/// Identity of an expression node; indexes the checker's tables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

static NEXT_NODE: AtomicU32 = AtomicU32::new(1);

impl NodeId {
    /// A fresh id, never given out before in this process.
    pub fn fresh() -> NodeId {
        NodeId(NEXT_NODE.fetch_add(1, Ordering::Relaxed))
    }
    /// The first of `n` fresh ids, which follow one another.
    fn fresh_row(n: u32) -> NodeId {
        NodeId(NEXT_NODE.fetch_add(n, Ordering::Relaxed))
    }
    /// One more than the largest id given out so far.
    pub fn limit() -> u32 {
        NEXT_NODE.load(Ordering::Relaxed)
    }
}

/// An interned identifier; equal text is equal symbol.
pub use source::Symbol;

/// One source file.
#[derive(Debug)]
pub struct File {
    /// Position of the `package` keyword.
    pub pos: Pos,
    pub package: Ident,
    /// In source order, imports first.
    pub decls: Vec<Decl>,
    pub(crate) eof: Pos,
    /// Language version of `//go:build go1.N`, if any.
    pub go_version: Option<u32>,
    /// Boxed: a file is one of the symbols of the grammar, which are all as long as the longest.
    pub directives: Box<Directives>,
}

/// What is to say of a file's `//go:` comments once nothing else is wrong with the program.
#[derive(Debug, Default)]
pub struct Directives {
    /// Taken by a declaration that has no use for them, and what Go says then.
    pub misplaced: Vec<(Pos, &'static str)>,
    /// `//go:embed` before variables.
    pub embeds: Vec<Embed>,
    pub linknames: Vec<Linkname>,
}

/// `//go:embed patterns` before a variable.
#[derive(Debug)]
pub struct Embed {
    pub pos: Pos,
    /// The (first) variable.
    pub variable: Option<Symbol>,
    /// Why it cannot apply to that.
    pub why: Option<&'static str>,
    /// With their places.
    pub patterns: Vec<(Pos, String)>,
    /// How many files these mean.
    pub files: usize,
}

/// `//go:linkname local remote`
#[derive(Debug)]
pub struct Linkname {
    pub pos: Pos,
    /// `go:linkname` or `go:linknamestd`
    pub directive: String,
    pub local: String,
    pub remote: Option<String>,
    /// The remote name has brackets.
    pub names_instance: bool,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Ident {
    pub pos: Pos,
    pub name: Symbol,
    /// Indexes the checker's `uses` and `defs`.
    pub id: NodeId,
}

#[derive(Debug, Serialize, Deserialize)]
pub enum Decl {
    Import(ImportSpec),
    Const(ConstSpec),
    Type(TypeSpec),
    Var(VarSpec),
    Func(Box<FuncDecl>),
}

impl Decl {
    /// Where its (first) name is, or the import.
    pub fn pos(&self) -> Pos {
        match self {
            Decl::Import(spec) => spec.pos,
            Decl::Const(spec) => spec.pos,
            Decl::Type(spec) => spec.name.pos,
            Decl::Var(spec) => spec.pos,
            Decl::Func(decl) => decl.name.pos,
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub struct ImportSpec {
    pub pos: Pos,
    /// `.`, `_` or a name.
    pub name: Option<Ident>,
    pub path: String,
    pub path_pos: Pos,
    /// The path is no string, as has been reported.
    pub is_bad: bool,
}

/// One line of a const declaration. One without type and
/// values repeats the last line of its group that has them.
#[derive(Debug, Serialize, Deserialize)]
pub struct ConstSpec {
    pub pos: Pos,
    pub names: Vec<Ident>,
    /// Index of this spec in its group: the value of iota.
    pub iota: u32,
    /// Identity of the `const ( … )` group;
    /// specs of one group follow each other in `decls`/statements.
    pub group: u32,
    pub ty: Option<Box<Expr>>,
    pub values: Vec<Expr>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct TypeSpec {
    pub pos: Pos,
    pub name: Ident,
    /// `type A = T`.
    pub alias: bool,
    pub tparams: Vec<TypeParam>,
    pub ty: Expr,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct TypeParam {
    pub name: Ident,
    /// `None`: as the entry before it. Of `[A, B C]` the entry of `A` owns the constraint `C`.
    pub constraint: Option<Box<Expr>>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct VarSpec {
    pub pos: Pos,
    pub names: Vec<Ident>,
    pub ty: Option<Box<Expr>>,
    pub values: Vec<Expr>,
    pub group: u32,
}

/// A declared function or method.
#[derive(Debug, Serialize, Deserialize)]
pub struct FuncDecl {
    pub name: Ident,
    /// Of a method.
    pub receiver: Option<Receiver>,
    /// Position of `func`.
    pub pos: Pos,
    /// Position of what follows it: Go's for the declaration.
    pub at: Pos,
    pub recv: Option<Param>,
    pub tparams: Vec<TypeParam>,
    pub sig: FuncSig,
    /// None if the function is declared without one.
    pub body: Option<Block>,
    /// `//go:linkname`, `//go:noinline` and the like, as written after `//go:`.
    pub pragmas: Vec<String>,
}

/// What a method is declared on.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Receiver {
    pub is_pointer: bool,
    /// The name of the type, if it is one of this package.
    pub base: Option<Symbol>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct FuncSig {
    pub pos: Pos,
    /// One entry per parameter: grouped names are distributed, sharing the type by `TypeRef`.
    pub params: Vec<Param>,
    pub results: Vec<Param>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Param {
    pub pos: Pos,
    pub name: Option<Ident>,
    /// Of `a, b int`, `b` owns the type and `a` points to it: `SameAsNext`.
    pub ty: ParamType,
    /// `...T`; only the last parameter. Then `ty` is T.
    pub variadic: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub enum ParamType {
    Own(Box<Expr>),
    /// The type of the following parameter of the same group.
    SameAsNext,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Block {
    /// Of `{`.
    pub pos: Pos,
    pub stmts: Vec<Stmt>,
    /// Of `}`.
    pub end: Pos,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Expr {
    /// The node's own position, as in cmd/compile's tree. For what has its operand on the left that
    /// is not the first character; see [`Expr::start`] for that, which is where the checker reports
    /// most errors.
    ///
    /// | node | position |
    /// |---|---|
    /// | binary | the operator |
    /// | unary, `*x` | the operator, which comes first |
    /// | call, conversion | `(` |
    /// | index, instance, slice | `[` |
    /// | selector, type assertion, `x.(type)` | `.` |
    /// | composite literal | `{`, also where it has a type |
    /// | `k: v` | `:` |
    /// | function type | `(` of its parameters |
    /// | everything else | the first character |
    ///
    /// Statements: an assignment, `:=`, `op=`, `++`, send: the operator; an expression statement:
    /// its expression's `pos`; a labeled statement: the colon; all others: the first character.
    pub pos: Pos,
    pub id: NodeId,
    pub kind: ExprKind,
}

/// Expressions and types alike: Go's grammar cannot always tell them apart.
#[derive(Debug, Serialize, Deserialize)]
pub enum ExprKind {
    /// What stands for a part in error; silences follow-up errors.
    Bad,
    Name(Symbol),
    BasicLit {
        kind: LitKind,
        text: Box<str>,
    },
    /// `T{…}`; the type is absent where elided.
    CompositeLit {
        ty: Option<Box<Expr>>,
        elems: Vec<Expr>,
        rbrace: Pos,
    },
    /// `k: v` inside a composite literal.
    KeyValue {
        key: Box<Expr>,
        value: Box<Expr>,
    },
    FuncLit {
        sig: Box<FuncSig>,
        body: Box<Block>,
    },
    Paren(Box<Expr>),
    Selector {
        x: Box<Expr>,
        sel: Ident,
    },
    /// `x[i]`, `x[T1, T2]`: more than one index is an instantiation.
    Index {
        x: Box<Expr>,
        indices: Vec<Expr>,
    },
    Slice {
        x: Box<Expr>,
        lo: Option<Box<Expr>>,
        hi: Option<Box<Expr>>,
        max: Option<Box<Expr>>,
        full: bool,
    },
    /// `x.(T)`; `x.(type)` has no type.
    TypeAssert {
        x: Box<Expr>,
        ty: Option<Box<Expr>>,
    },
    Call {
        fun: Box<Expr>,
        args: Vec<Expr>,
        /** Position of `...` after the last argument. */
        ellipsis: Option<Pos>,
        rparen: Pos,
    },
    /// `*x`: dereference or pointer type.
    Star(Box<Expr>),
    /// `+ - ! ^ & <- ~`.
    Unary {
        op: UnOp,
        x: Box<Expr>,
    },
    Binary {
        op: BinOp,
        x: Box<Expr>,
        y: Box<Expr>,
    },

    // Types that are nothing else.
    /// `[N]T`; `len` is `None` for `[...]T`.
    ArrayType {
        len: Option<Box<Expr>>,
        elem: Box<Expr>,
    },
    SliceType(Box<Expr>),
    MapType {
        key: Box<Expr>,
        value: Box<Expr>,
    },
    ChanType {
        dir: ChanDir,
        elem: Box<Expr>,
    },
    FuncType(Box<FuncSig>),
    StructType {
        fields: Vec<Field>,
    },
    InterfaceType {
        elems: Vec<InterfaceElem>,
    },
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Field {
    pub pos: Pos,
    /// For an embedded field: its type's name.
    pub name: Ident,
    pub embedded: bool,
    /// Of `a, b int`, `a` says `SameAsNext`.
    pub ty: ParamType,
    /// Unquoted tag.
    pub tag: Option<Box<str>>,
}

#[derive(Debug, Serialize, Deserialize)]
pub enum InterfaceElem {
    Method {
        name: Ident,
        sig: FuncSig,
    },
    /// An embedded type or a union of terms (`~A | B`, as `Binary Or` and `Unary Tilde`).
    Embed(Expr),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum LitKind {
    Int,
    Float,
    Imag,
    /// `text` is the source text with quotes.
    Char,
    /// `text` is the source text with quotes
    /// (raw strings: with back quotes, carriage returns still in).
    String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum ChanDir {
    Both,
    Send,
    Recv,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum UnOp {
    Plus,
    Neg,
    Not,
    /// `^x`
    Compl,
    /// `&x`
    Addr,
    /// `<-x`
    Recv,
    Tilde,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    AndNot,
    LAnd,
    LOr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl BinOp {
    /// How tightly it binds, 1 to 5. Spec: Operator precedence.
    pub(crate) fn precedence(self) -> u8 {
        match self {
            BinOp::LOr => 1,
            BinOp::LAnd => 2,
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => 3,
            BinOp::Add | BinOp::Sub | BinOp::Or | BinOp::Xor => 4,
            BinOp::Mul | BinOp::Div | BinOp::Rem => 5,
            BinOp::Shl | BinOp::Shr | BinOp::And | BinOp::AndNot => 5,
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Stmt {
    pub pos: Pos,
    pub kind: StmtKind,
}

#[derive(Debug, Serialize, Deserialize)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    Send {
        chan: Box<Expr>,
        value: Box<Expr>,
    },
    /// `x++`, `x--`
    IncDec {
        x: Expr,
        inc: bool,
    },
    /// `a, b = x, y` (no op) or `a op= x`. `pos` of the statement is the operator's.
    Assign {
        op: Option<BinOp>,
        lhs: Vec<Expr>,
        rhs: Vec<Expr>,
    },
    /// `a, b := x, y`; the left sides are names (others were rejected).
    Define {
        lhs: Vec<Expr>,
        rhs: Vec<Expr>,
    },
    Go(Expr),
    Defer(Expr),
    Return(Vec<Expr>),
    Break(Option<Ident>),
    Continue(Option<Ident>),
    Goto(Ident),
    Fallthrough,
    Block(Block),
    If(Box<IfStmt>),
    Switch(Box<SwitchStmt>),
    TypeSwitch(Box<TypeSwitchStmt>),
    Select {
        cases: Vec<CommClause>,
        end: Pos,
    },
    For(Box<ForStmt>),
    Range(Box<RangeStmt>),
    Labeled {
        label: Ident,
        stmt: Box<Stmt>,
    },
    /// Const, type and var declarations.
    Decl(Vec<Decl>),
}

#[derive(Debug, Serialize, Deserialize)]
pub struct IfStmt {
    pub init: Option<Stmt>,
    pub cond: Expr,
    pub then: Block,
    /// A `Block` or an `If`.
    pub els: Option<Stmt>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct SwitchStmt {
    pub init: Option<Stmt>,
    pub tag: Option<Expr>,
    pub cases: Vec<CaseClause>,
    pub end: Pos,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct TypeSwitchStmt {
    pub init: Option<Stmt>,
    /// `x := y.(type)`
    pub bind: Option<Ident>,
    /// The `y` of `y.(type)`.
    pub x: Expr,
    pub cases: Vec<CaseClause>,
    pub end: Pos,
}

/// `case a, b:` or `default:` of a switch or type switch.
#[derive(Debug, Serialize, Deserialize)]
pub struct CaseClause {
    pub pos: Pos,
    /// Empty and `is_default` for `default`.
    pub exprs: Vec<Expr>,
    pub is_default: bool,
    /// Of the colon.
    pub colon: Pos,
    pub body: Vec<Stmt>,
    /// A fresh id: in a type switch the implicit variable of this clause is `Info::implicits[id]`.
    pub id: NodeId,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct CommClause {
    pub pos: Pos,
    /// A send, an expression statement that receives, an assignment or a define from a receive;
    /// `None` for `default`.
    pub comm: Option<Box<Stmt>>,
    pub colon: Pos,
    pub body: Vec<Stmt>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct ForStmt {
    pub init: Option<Stmt>,
    pub cond: Option<Expr>,
    pub post: Option<Stmt>,
    pub body: Block,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct RangeStmt {
    pub key: Option<Expr>,
    pub value: Option<Expr>,
    /// `:=` rather than `=`.
    pub define: bool,
    pub x: Expr,
    pub body: Block,
    /// Of the `range` keyword.
    pub range_pos: Pos,
}

impl Expr {
    pub fn new(pos: Pos, kind: ExprKind) -> Expr {
        Expr {
            pos,
            id: NodeId::fresh(),
            kind,
        }
    }

    /// The leftmost position of the expression, except that a slice expression begins at its `[`,
    /// and so does what it is the left part of: Go's compiler reports it there.
    /// Go: syntax.StartPos.
    pub fn start(&self) -> Pos {
        let mut e = self;
        loop {
            e = match &e.kind {
                ExprKind::CompositeLit { ty: Some(t), .. } => t,
                ExprKind::KeyValue { key, .. } => key,
                ExprKind::Selector { x, .. }
                | ExprKind::Index { x, .. }
                | ExprKind::TypeAssert { x, .. }
                | ExprKind::Binary { x, .. } => x,
                ExprKind::Call { fun, .. } => fun,
                _ => return e.pos,
            }
        }
    }

    /// The expression inside any number of parentheses.
    pub fn unparen(&self) -> &Expr {
        let mut e = self;
        while let ExprKind::Paren(x) = &e.kind {
            e = x;
        }
        e
    }
}
