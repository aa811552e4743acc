//! Counts for Prometheus, in its text format.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The upper bounds of the buckets of durations, in seconds.
const BOUNDS: [f64; 9] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// What happened since the start. The kinds of requests are few, so that one lock is enough.
#[derive(Default)]
pub struct Metrics {
    requests: Mutex<BTreeMap<(&'static str, u16), u64>>,
    durations: Mutex<BTreeMap<&'static str, Durations>>,
    running: AtomicI64,
}

#[derive(Default)]
struct Durations {
    /// How many took at most as long as each of [`BOUNDS`].
    within: [u64; BOUNDS.len()],
    count: u64,
    seconds: f64,
}

/// Counts a request as running until it is dropped.
pub struct Running<'m>(&'m Metrics);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    pub fn begin(&self) -> Running<'_> {
        self.running.fetch_add(1, Ordering::Relaxed);
        Running(self)
    }

    pub fn end(&self, route: &'static str, status: u16, took: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *requests.entry((route, status)).or_default() += 1;
        drop(requests);
        let mut all = self
            .durations
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let durations = all.entry(route).or_default();
        let seconds = took.as_secs_f64();
        for (within, bound) in durations.within.iter_mut().zip(BOUNDS) {
            *within += u64::from(seconds <= bound);
        }
        durations.count += 1;
        durations.seconds += seconds;
    }

    /// Everything in Prometheus's format, with further gauges.
    pub fn text(&self, gauges: &[(&str, &str, f64)]) -> String {
        let mut text = String::new();
        let name = "footnote_requests_total";
        head(&mut text, name, "counter", "Requests, by route and status.");
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        for ((route, status), count) in requests.iter() {
            let _ = writeln!(
                text,
                "{name}{{route=\"{route}\",status=\"{status}\"}} {count}"
            );
        }
        drop(requests);
        let name = "footnote_request_seconds";
        head(&mut text, name, "histogram", "Time until an answer begins.");
        let all = self
            .durations
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        for (route, durations) in all.iter() {
            for (within, bound) in durations.within.iter().zip(BOUNDS) {
                let labels = format!("route=\"{route}\",le=\"{bound}\"");
                let _ = writeln!(text, "{name}_bucket{{{labels}}} {within}");
            }
            let Durations { count, seconds, .. } = durations;
            let route = format!("{{route=\"{route}\"");
            let _ = writeln!(text, "{name}_bucket{route},le=\"+Inf\"}} {count}");
            let _ = writeln!(text, "{name}_sum{route}}} {seconds}");
            let _ = writeln!(text, "{name}_count{route}}} {count}");
        }
        drop(all);
        let running = self.running.load(Ordering::Relaxed) as f64;
        let own = (
            "footnote_requests_running",
            "Requests that run now.",
            running,
        );
        for (name, help, value) in std::iter::once(&own).chain(gauges) {
            head(&mut text, name, "gauge", help);
            let _ = writeln!(text, "{name} {value}");
        }
        text
    }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_route_and_status_and_buckets_add_up() {
        let metrics = Metrics::default();
        metrics.end("search", 200, Duration::from_millis(20));
        metrics.end("search", 200, Duration::from_millis(700));
        metrics.end("search", 429, Duration::from_millis(1));
        let running = metrics.begin();
        let text = metrics.text(&[("footnote_repositories", "Repositories.", 3.0)]);
        for line in [
            "footnote_requests_total{route=\"search\",status=\"200\"} 2",
            "footnote_requests_total{route=\"search\",status=\"429\"} 1",
            "footnote_request_seconds_bucket{route=\"search\",le=\"0.005\"} 1",
            "footnote_request_seconds_bucket{route=\"search\",le=\"0.025\"} 2",
            "footnote_request_seconds_bucket{route=\"search\",le=\"+Inf\"} 3",
            "footnote_request_seconds_count{route=\"search\"} 3",
            "footnote_requests_running 1",
            "footnote_repositories 3",
        ] {
            assert!(text.lines().any(|it| it == line), "{line}\n{text}");
        }
        drop(running);
        assert!(metrics.text(&[]).contains("footnote_requests_running 0"));
    }
}
