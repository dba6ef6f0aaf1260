//! Trees as bytes. Their nodes are numbered from 0 in the order in which they are written, and get
//! fresh ids, one behind the other, when they are read.
//!
//! Names and positions are numbers: see [`source::snapshot`].

use super::NodeId;
use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::{Cell, RefCell};

thread_local! {
    /// The ids of the tree that is being written.
    static WRITTEN: RefCell<Option<Vec<NodeId>>> = const { RefCell::new(None) };
    /// The first id, and the number of ids, of the tree that is being read.
    static READ: Cell<(u32, u32)> = const { Cell::new((0, 0)) };
}

/// The bytes of a tree, and the ids of its nodes by their numbers.
pub fn write<T: Serialize>(tree: &T) -> (Vec<u8>, Vec<NodeId>) {
    WRITTEN.set(Some(Vec::new()));
    let bytes = postcard::to_stdvec(tree).expect("trees can be written");
    (bytes, WRITTEN.take().unwrap_or_default())
}

/// The tree of `n` nodes that [`write`] has written, and the id of its node 0; `None` if there is
/// none in the bytes.
pub fn read<T: DeserializeOwned>(bytes: &[u8], n: u32) -> Option<(T, NodeId)> {
    let first = NodeId::fresh_row(n);
    let before = READ.replace((first.0, n));
    let tree = postcard::from_bytes(bytes);
    READ.set(before);
    Some((tree.ok()?, first))
}

impl Serialize for NodeId {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let number = WRITTEN.with_borrow_mut(|ids| {
            let ids = ids.as_mut()?;
            ids.push(*self);
            Some(ids.len() as u32 - 1)
        });
        let number = number.ok_or_else(|| S::Error::custom("a node of no tree"))?;
        number.serialize(to)
    }
}

impl<'de> Deserialize<'de> for NodeId {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<NodeId, D::Error> {
        let (first, n) = READ.get();
        let number = u32::deserialize(from)?;
        match number < n {
            true => Ok(NodeId(first + number)),
            false => Err(D::Error::custom("a node of no tree")),
        }
    }
}
