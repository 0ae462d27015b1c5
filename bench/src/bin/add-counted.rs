//! The library's server, counting what it allocates: a program of its own, so that nothing is
//! counted where time is measured.
//!
//! At its end it says on stderr what a call costs, from the call [`WARM`] on.
#![expect(unsafe_code, reason = "an allocator is an unsafe trait; this one only counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Calls after which tables and buffers have their size.
const WARM: u32 = 1_000;

static ALLOCATIONS: AtomicU32 = AtomicU32::new(0);
static BYTES: AtomicU32 = AtomicU32::new(0);
static CALLS: AtomicU32 = AtomicU32::new(0);

#[global_allocator]
static COUNTING: Counting = Counting;

#[expect(clippy::print_stderr, reason = "stdout is the protocol's")]
fn main() -> io::Result<()> {
    candor_bench::add::serve(at_call)?;
    let calls = f64::from(CALLS.load(Relaxed).saturating_sub(WARM).max(1));
    let per_call = |count: &AtomicU32| f64::from(count.load(Relaxed)) / calls;
    let (allocations, bytes) = (per_call(&ALLOCATIONS), per_call(&BYTES));
    eprintln!("allocations per call: {allocations:.2}, bytes per call: {bytes:.1}");
    Ok(())
}

/// Begins anew at the first call that counts.
fn at_call() {
    if CALLS.fetch_add(1, Relaxed) == WARM {
        ALLOCATIONS.store(0, Relaxed);
        BYTES.store(0, Relaxed);
    }
}

struct Counting;

// SAFETY: every method hands its arguments on to the system's allocator, unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the contract of the same method.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

fn count(bytes: usize) {
    ALLOCATIONS.fetch_add(1, Relaxed);
    BYTES.fetch_add(bytes.try_into().unwrap_or(u32::MAX), Relaxed);
}
