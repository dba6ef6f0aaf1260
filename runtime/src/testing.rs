//! An M with a P and a G for unit tests that need no scheduler.
//!
//! Nothing runs on it, and it must wake no M.

#![allow(unsafe_code)]

use std::fmt;

use crate::{Engine, G, M, Outcome, P, RootVisitor};

struct NoEngine;

impl Engine for NoEngine {
    fn run(&self, _: &mut M, _: &mut G) -> Outcome {
        Outcome::Exit
    }
    fn scan_stack(&self, _: &G, _: &mut dyn RootVisitor) {}
    fn traceback(&self, _: &G, _: &mut dyn fmt::Write, _: i32) {}
}

/// See the module.
pub(crate) struct Fake {
    m: Box<M>,
    p: Box<P>,
    g: Box<G>,
}

impl Fake {
    pub(crate) fn new() -> Fake {
        let mut f = Fake {
            m: Box::new(M::new(0, &NoEngine)),
            p: Box::new(P::new(0)),
            g: Box::new(G::new()),
        };
        f.m.p = &raw mut *f.p;
        f.m.curg = &raw mut *f.g;
        f
    }

    pub(crate) fn m(&mut self) -> &mut M {
        &mut self.m
    }

    pub(crate) fn p(&mut self) -> *mut P {
        self.m.p
    }

    pub(crate) fn both(&mut self) -> (&mut M, &mut G) {
        (&mut self.m, &mut self.g)
    }
}
