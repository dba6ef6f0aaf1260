//! Constant strings. A long one that is two others together keeps these, and is put together when
//! somebody asks for its bytes: constants that double each other stay small until they are used.

use std::cell::OnceCell;
use std::ops::Deref;
use std::rc::Rc;

/// What is no longer than this is put together at once.
pub(super) const SHORT: usize = 1 << 20;
/// Parts inside parts beyond this depth are put together.
const MAX_DEPTH: u32 = 1000;

/// The bytes of a constant string.
#[derive(Clone)]
pub struct Text(Rc<Node>);

struct Node {
    len: usize,
    depth: u32,
    parts: Option<(Text, Text)>,
    bytes: OnceCell<Box<[u8]>>,
}

impl Text {
    pub(super) fn join(&self, other: &Text) -> Text {
        let (a, b) = (&self.0, &other.0);
        let text = Text(Rc::new(Node {
            len: a.len + b.len,
            depth: a.depth.max(b.depth) + 1,
            parts: Some((self.clone(), other.clone())),
            bytes: OnceCell::new(),
        }));
        match text.0.len <= SHORT || text.0.depth > MAX_DEPTH {
            true => Text::from(text.to_vec()),
            false => text,
        }
    }

    /// The number of bytes, which need not be put together for it.
    pub(super) fn len(&self) -> usize {
        self.0.len
    }

    /// The first `n` bytes, or all if there are fewer.
    pub(super) fn start(&self, n: usize) -> Vec<u8> {
        let n = n.min(self.len());
        let mut bytes = Vec::with_capacity(n);
        let mut rest = vec![self];
        while let Some(text) = rest.pop().filter(|_| bytes.len() < n) {
            match (text.0.bytes.get(), &text.0.parts) {
                (Some(known), _) => {
                    let wanted = known.len().min(n - bytes.len());
                    bytes.extend_from_slice(&known[..wanted]);
                }
                (None, Some((a, b))) => rest.extend([b, a]),
                (None, None) => {}
            }
        }
        bytes
    }
}

impl Deref for Text {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        self.0.bytes.get_or_init(|| self.start(self.len()).into())
    }
}

impl From<Vec<u8>> for Text {
    fn from(bytes: Vec<u8>) -> Text {
        Text(Rc::new(Node {
            len: bytes.len(),
            depth: 0,
            parts: None,
            bytes: OnceCell::from(bytes.into_boxed_slice()),
        }))
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || self.len() == other.len() && **self == **other
    }
}

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}
