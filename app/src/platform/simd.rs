//! Which build of the encoder is the faster one here.
//!
//! It is built twice: with the relaxed vector instructions and without. Where the processor has an
//! instruction for `i32x4.relaxed_dot_i8x16_i7x16_add` (AVX-VNNI, and what ARM has) the first is
//! much faster. Elsewhere the browser makes three of it, and the second is. No browser tells which
//! is the case, so two small loops are timed.

use std::cell::Cell;

use js_sys::{Function, Object, Reflect, Uint8Array, WebAssembly};
use wasm_bindgen::{JsCast, JsValue};

use super::clock::now_ms;

/// `simd.wat` as bytes; a browser without the instructions does not take it.
pub const LOOPS: &[u8] = include_bytes!("simd.wasm");

/// How often a loop goes round in one run, and how often each runs: some 50 ms together. The first
/// runs are slower: they are compiled in haste.
const ROUNDS: u32 = 600_000;
const RUNS: usize = 7;

/// The relaxed loop's share of the other's time up to which the relaxed build is used. Its way of
/// packing numbers costs more than the other's, so equal loops make it the slower encoder: it took
/// 1.25 times as long at shares of .9 to 1.05, and .7 times on a processor that has the
/// instruction, where the share was not measured (a third, by the number of instructions).
pub const MAX_SHARE: f64 = 0.7;

thread_local! {
    static IS_RELAXED: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Whether the build with relaxed vector instructions is the faster one; measured when first asked
/// for.
pub fn is_relaxed_faster() -> bool {
    if let Some(known) = IS_RELAXED.get() {
        return known;
    }
    let is_faster = share().is_some_and(|share| share <= MAX_SHARE);
    IS_RELAXED.set(Some(is_faster));
    is_faster
}

/// Takes over what was measured before in this browser.
pub fn know(is_relaxed_faster: bool) {
    IS_RELAXED.set(Some(is_relaxed_faster));
}

/// The share of the relaxed loop; `None` where it cannot run, or time stands still.
fn share() -> Option<f64> {
    let loops = loops().ok()?;
    let mut least = [f64::INFINITY; 2];
    for _ in 0..RUNS {
        for (least, run) in least.iter_mut().zip(&loops) {
            let start = now_ms();
            run.call1(&JsValue::UNDEFINED, &ROUNDS.into()).ok()?;
            *least = least.min(now_ms() - start);
        }
    }
    let [relaxed, plain] = least;
    (plain > 0.0).then(|| relaxed / plain)
}

fn loops() -> Result<[Function; 2], JsValue> {
    let module = WebAssembly::Module::new(&Uint8Array::from(LOOPS))?;
    let instance = WebAssembly::Instance::new(&module, &Object::new())?;
    let of = |name: &str| -> Result<Function, JsValue> {
        Reflect::get(&instance.exports(), &JsValue::from_str(name))?.dyn_into()
    };
    Ok([of("relaxed")?, of("plain")?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loops_are_those_of_the_text() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/platform");
        let made = wat::parse_str(include_str!("simd.wat")).unwrap();
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(format!("{folder}/simd.wasm"), &made).unwrap();
        }
        assert!(
            made == LOOPS,
            "app/src/platform/simd.wasm is not made from simd.wat"
        );
    }
}
