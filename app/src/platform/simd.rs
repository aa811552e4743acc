//! Which build of the encoder is faster on this machine.
//!
//! There are two builds: one with the relaxed vector instructions and one without. If the processor
//! has an instruction for `i32x4.relaxed_dot_i8x16_i7x16_add` (AVX-VNNI, and its counterpart on
//! ARM), the first build is much faster. Otherwise the browser emulates it with three instructions,
//! and the second build is faster. No browser says which is the case, so two small loops are timed.

use std::cell::Cell;

use js_sys::{Function, Object, Reflect, Uint8Array, WebAssembly};
use wasm_bindgen::{JsCast, JsValue};

use super::clock::now_ms;

/// `simd.wat` as bytes; a browser without the instructions rejects it.
pub const LOOPS: &[u8] = include_bytes!("simd.wasm");

/// Iterations of a loop in one run, and runs of each loop: about 50 ms in total. The first runs are
/// slower, because browsers compile quickly first and optimise later.
const ROUNDS: u32 = 600_000;
const RUNS: usize = 7;

/// Greatest ratio of the relaxed loop's time to the other loop's at which the relaxed build is
/// used. The relaxed build's way of packing numbers costs more, so with equal loops its encoder is
/// slower: it took 1.25 times as long at ratios of .9 to 1.05, and .7 times as long on a processor
/// that has the instruction, where the ratio was not measured (a third, by the number of
/// instructions).
pub const MAX_SHARE: f64 = 0.7;

thread_local! {
    static IS_RELAXED: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Whether the build with relaxed vector instructions is faster; measured on the first call.
pub fn is_relaxed_faster() -> bool {
    if let Some(known) = IS_RELAXED.get() {
        return known;
    }
    let is_faster = share().is_some_and(|share| share <= MAX_SHARE);
    IS_RELAXED.set(Some(is_faster));
    is_faster
}

/// Sets the result of an earlier measurement in this browser.
pub fn know(is_relaxed_faster: bool) {
    IS_RELAXED.set(Some(is_relaxed_faster));
}

/// Time of the relaxed loop divided by the other's; `None` if it cannot run, or if the clock does
/// not advance.
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
    fn the_committed_loops_are_made_from_the_text() {
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
