//! An allocator that counts, the same for every contender and always on.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How often memory was asked for, and how many bytes; a reallocation is one, of its new size.
#[derive(Debug, Clone, Copy, Default)]
pub struct Allocations {
    pub count: u64,
    pub bytes: u64,
}

impl Allocations {
    /// Since the program began.
    fn so_far() -> Self {
        Allocations { count: COUNT.load(Relaxed), bytes: BYTES.load(Relaxed) }
    }

    pub fn of(run: impl FnOnce()) -> Self {
        let before = Allocations::so_far();
        run();
        let after = Allocations::so_far();
        Allocations { count: after.count - before.count, bytes: after.bytes - before.bytes }
    }
}

static COUNT: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

struct Counting;

/// The program has one thread while it measures, so a load and a store count right, and cost less
/// than an atomic addition.
fn count(bytes: usize) {
    COUNT.store(COUNT.load(Relaxed) + 1, Relaxed);
    BYTES.store(BYTES.load(Relaxed) + bytes as u64, Relaxed);
}

// SAFETY: every call goes on to `System` as it came, whose contract is the same; the counters are
// statics that allocate nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(ptr, layout, new_size) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(ptr, layout) }
    }
}
