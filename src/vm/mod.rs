//! The virtual machine.

pub mod iface;
pub mod map;
pub mod native;
pub mod slice;
pub mod string;
pub mod value;
