//! How fast a GPU embeds texts: `gpu_speed [TOKENS [PEAK_TFLOPS]]`, on the first Vulkan adapter, at
//! every tier that it supports. Times whole batches, tokenising and reading back included. If the
//! adapter's peak in TFLOP/s is given, prints what share of it the model's products reach.
//! Meaningless on an adapter that a CPU emulates.

use std::io::Write;
use std::time::Instant;

use footnote_cli::gpu::Gpu;
use footnote_cli::{Result, model};
use pollster::block_on;

/// Texts per batch.
const BATCHES: [usize; 4] = [1, 16, 64, 256];
/// For how many seconds each batch is repeated.
const SECONDS: f64 = 2.0;
/// Weights of the products that each token goes through in six layers; two operations per weight.
const PRODUCT_WEIGHTS: f64 = 6.0 * (384.0 * 1152.0 + 384.0 * 384.0 + 2.0 * 384.0 * 1536.0);

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let tokens: usize = args.next().map_or(Ok(128), |it| it.parse())?;
    let peak: Option<f64> = args.next().map(|it| it.parse()).transpose()?;
    let gpu = Gpu::find()?;
    let info = gpu.adapter.get_info();
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{} ({:?}), texts of {tokens} tokens",
        info.name, info.device_type
    )?;
    for tier in gpu.best.and_lower() {
        let mut embedder = model::read(model::ENCODER, |files| gpu.embedder(tier, files))?;
        // Each word is one token; the model adds two.
        let text = "word ".repeat(tokens.saturating_sub(2));
        for texts in BATCHES {
            let texts = vec![text.as_str(); texts];
            block_on(embedder.encode(&texts))?;
            let start = Instant::now();
            let mut made = 0;
            while start.elapsed().as_secs_f64() < SECONDS {
                block_on(embedder.encode(&texts))?;
                made += texts.len();
            }
            let each = made as f64 / start.elapsed().as_secs_f64();
            let flops = each * tokens as f64 * 2.0 * PRODUCT_WEIGHTS;
            write!(
                out,
                "{:9} {:4} at once: {each:9.1} sequences/s, {:7.3} TFLOP/s",
                embedder.tier().name(),
                texts.len(),
                flops / 1e12
            )?;
            match peak {
                Some(peak) => writeln!(out, ", {:.1} % of the peak", flops / peak / 1e10)?,
                None => writeln!(out)?,
            }
        }
    }
    Ok(())
}
