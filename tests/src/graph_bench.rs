//! The graph tab on the open repository: how long it takes to appear, and how long a frame takes
//! while the graph is dragged. Times are taken inside the page.

use std::io;

use serde_json::{Value, json};

use crate::browser::Page;

/// Times each frame callback, from before the page's own scripts run.
pub const STOPWATCH: &str = "
    window.graphBench = { frames: [] };
    const frame = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (call) => frame((time) => {
        const start = performance.now();
        call(time);
        const end = performance.now();
        const canvas = document.querySelector('.graph canvas');
        if (!canvas) return;
        graphBench.frames.push(end - start);
        graphBench.drawn ??= end;
    });
    document.addEventListener('click', (event) => {
        if (event.target.closest('[role=tab]')) graphBench.clicked = performance.now();
    }, true);
";

/// Drags the graph back and forth for this many frames, and records the time between them.
const DRAG: &str = "
    const canvas = document.querySelector('.graph canvas');
    const box = canvas.getBoundingClientRect();
    const middle = [box.left + box.width / 2, box.top + box.height / 2];
    const send = (type, x) => canvas.dispatchEvent(new PointerEvent(type, {
        pointerId: 1, bubbles: true, clientX: middle[0] + x, clientY: middle[1] + x / 2,
    }));
    graphBench.frames = [];
    graphBench.gaps = [];
    let count = 0, last = performance.now();
    send('pointerdown', 0);
    const step = () => {
        const now = performance.now();
        graphBench.gaps.push(now - last);
        last = now;
        count += 1;
        send('pointermove', 80 * Math.sin(count / 12));
        if (count < 240) return setTimeout(() => requestAnimationFrame(step));
        send('pointerup', 0);
        graphBench.done = true;
    };
    requestAnimationFrame(step);
";

/// Shows the graph of the last answer and drags it.
pub async fn measure(page: &Page) -> io::Result<Value> {
    let tab = page.button("Graph").await;
    tab.click().await.map_err(io::Error::other)?;
    let shown = page
        .wait_for("the graph", async || {
            number(page, "graphBench.drawn - graphBench.clicked").await
        })
        .await;
    page.script(DRAG).await;
    page.wait_for("the end of the drag", async || {
        page.script("return window.graphBench.done === true")
            .await
            .as_bool()?
            .then_some(())
    })
    .await;
    let sorted = "const sort = (list) => [...list].sort((a, b) => a - b); \
                  const at = (list, share) => sort(list)[Math.ceil(share * list.length) - 1];";
    // Dragging itself requests frames too; those that draw take longest.
    let frames =
        format!("{sorted} return [at(graphBench.frames, .95), Math.max(...graphBench.frames)]");
    let gaps = format!("{sorted} return [at(graphBench.gaps, .5), at(graphBench.gaps, .95)]");
    let pair = async |script: &str| -> io::Result<[f64; 2]> {
        serde_json::from_value(page.script(script).await).map_err(io::Error::other)
    };
    let ([frame_p95, frame_max], [gap_p50, gap_p95]) = (pair(&frames).await?, pair(&gaps).await?);
    Ok(json!({
        "shown_ms": shown.round(),
        "frame_script_ms_p95": frame_p95,
        "frame_script_ms_max": frame_max,
        "between_frames_ms_p50": gap_p50,
        "between_frames_ms_p95": gap_p95,
    }))
}

async fn number(page: &Page, expression: &str) -> Option<f64> {
    page.script(&format!("return window.{expression}"))
        .await
        .as_f64()
        .filter(|number| number.is_finite())
}
