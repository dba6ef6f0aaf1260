//! Size classes: to which size a small object is rounded, and how long its spans are.
//!
//! The sizes are Go's, since programs see them: `cap` after `append` is a size class.
//!
//! Go: internal/runtime/gc/sizeclasses.go, runtime/msize.go.

/// A page of the heap. Go: pageSize.
pub(crate) const PAGE_SHIFT: usize = 13;
/// Bytes in a page of the heap.
pub(crate) const PAGE_SIZE: usize = 1 << PAGE_SHIFT;
/// The largest small object; a larger one has a span of its own.
pub(crate) const MAX_SMALL: usize = 32768;
/// Size classes, class 0 (large objects) included.
pub(crate) const NUM_CLASSES: usize = 68;
/// Span classes: size class × {scan, noscan}.
pub(crate) const NUM_SPAN_CLASSES: usize = NUM_CLASSES * 2;
/// The block of the tiny allocator, which joins pointer-free objects below 8 bytes.
pub const TINY_SIZE: usize = 16;
/// From this size on a Go object that holds pointers has a header of 8 bytes in its slot.
const GO_MIN_SIZE_FOR_HEADER: usize = 512;
const GO_MALLOC_HEADER: usize = 8;

/// Bytes per object of each class.
pub(crate) const CLASS_SIZE: [u32; NUM_CLASSES] = [
    0, 8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320,
    352, 384, 416, 448, 480, 512, 576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536, 1792,
    2048, 2304, 2688, 3072, 3200, 3456, 4096, 4864, 5376, 6144, 6528, 6784, 6912, 8192, 9472, 9728,
    10240, 10880, 12288, 13568, 14336, 16384, 18432, 19072, 20480, 21760, 24576, 27264, 28672,
    32768,
];

/// Pages per span of each class.
pub(super) const CLASS_PAGES: [u8; NUM_CLASSES] = [
    0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 2, 1, 2, 1, 2, 1, 3, 2, 3, 1, 3, 2, 3, 4, 5, 6, 1, 7, 6, 5, 4, 3, 5, 7, 2, 9, 7, 5, 8,
    3, 10, 7, 4,
];

/// `class` of a size up to 1024, by `(size + 7) / 8`.
static SMALL: [u8; 129] = {
    let mut t = [0u8; 129];
    let mut i = 1;
    let mut class = 1;
    while i <= 128 {
        while (CLASS_SIZE[class] as usize) < i * 8 {
            class += 1;
        }
        t[i] = class as u8;
        i += 1;
    }
    t
};

/// `class` of a size from 1025 to 32768, by `(size - 1024 + 127) / 128`.
static MEDIUM: [u8; 249] = {
    let mut t = [0u8; 249];
    let mut i = 0;
    let mut class = 1;
    while i <= 248 {
        while (CLASS_SIZE[class] as usize) < 1024 + i * 128 {
            class += 1;
        }
        t[i] = class as u8;
        i += 1;
    }
    t
};

/// The multiplier that divides an offset in a span by the class's size: `off * magic >> 32`.
pub(super) const CLASS_MAGIC: [u32; NUM_CLASSES] = {
    let mut t = [0u32; NUM_CLASSES];
    let mut i = 1;
    while i < NUM_CLASSES {
        t[i] = u32::MAX / CLASS_SIZE[i] + 1;
        i += 1;
    }
    t
};

/// The size class of a small size (1 to 32768).
#[inline(always)]
pub(super) fn size_class(size: usize) -> usize {
    debug_assert!(size <= MAX_SMALL);
    if size <= 1024 {
        SMALL[size.div_ceil(8)] as usize
    } else {
        MEDIUM[(size - 1024).div_ceil(128)] as usize
    }
}

/// The bytes which Go has usable after asking for `size`: what `append` makes of a capacity.
///
/// Go's objects of more than 512 bytes with pointers lose 8 bytes to a header; ours have none,
/// but keep the capacities. Returns `size` itself on overflow. Go: msize.go, roundupsize.
pub fn round_up_size(size: usize, noscan: bool) -> usize {
    if size == 0 {
        return 0;
    }
    if size <= MAX_SMALL - GO_MALLOC_HEADER {
        let header = if !noscan && size > GO_MIN_SIZE_FOR_HEADER {
            GO_MALLOC_HEADER
        } else {
            0
        };
        return CLASS_SIZE[size_class(size + header)] as usize - header;
    }
    match size.checked_add(PAGE_SIZE - 1) {
        Some(s) => s & !(PAGE_SIZE - 1),
        None => size,
    }
}
