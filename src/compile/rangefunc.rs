//! Range over functions.

use super::func::Fun;
use super::regalloc::Slot;
use crate::ast::{Block, Expr, RangeStmt, Stmt, Symbol};

/// How to leave the body of a range-over-func.
pub(super) struct YieldExits {}

/// The body of a range-over-func, to be compiled as a function.
pub(super) struct RangeBody {}

impl Fun<'_> {
    pub(super) fn prepare_range_funcs(&mut self, _body: &'static Block) {}
    pub(super) fn range_func(&mut self, s: &'static Stmt, _r: &'static RangeStmt) {
        self.unsupported(s.pos, "range over func");
    }
    pub(super) fn compile_range_body(&mut self, _b: &RangeBody) {}
    pub(super) fn defer_in_range_body(&mut self, _clo: Slot) {}
    pub(super) fn leaves_range_body_goto(&mut self, _name: Symbol) -> bool {
        false
    }
    pub(super) fn leave_range_body(&mut self, _label: Option<Symbol>, _cont: bool) {}
    pub(super) fn return_from_range_body(&mut self, _s: &'static Stmt, _values: &'static [Expr]) {}
}
