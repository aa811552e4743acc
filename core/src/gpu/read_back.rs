//! Reads bytes back from the device. In a browser that is a promise; native code waits for the
//! device.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};

/// The device's reply, and the waker of the task that waits for it.
#[derive(Default)]
struct Answer {
    mapped: Option<Result<(), wgpu::BufferAsyncError>>,
    waiting: Option<Waker>,
}

/// Reads the first `bytes` of a mappable buffer, once the submitted work is done.
pub(crate) async fn read(
    device: &wgpu::Device,
    buffer: &wgpu::Buffer,
    bytes: u64,
) -> Result<Vec<u8>, String> {
    let answer = Arc::new(Mutex::new(Answer::default()));
    let told = Arc::clone(&answer);
    buffer.map_async(wgpu::MapMode::Read, 0..bytes, move |mapped| {
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        told.mapped = Some(mapped);
        if let Some(waker) = told.waiting.take() {
            waker.wake();
        }
    });
    // In a browser this does nothing; the promise is resolved later.
    device
        .poll(wgpu::PollType::wait_indefinitely())
        .map_err(|error| error.to_string())?;
    let mapped = poll_fn(|context| {
        let mut answer = answer.lock().unwrap_or_else(PoisonError::into_inner);
        match answer.mapped.take() {
            Some(mapped) => Poll::Ready(mapped),
            None => {
                answer.waiting = Some(context.waker().clone());
                Poll::Pending
            }
        }
    });
    mapped.await.map_err(|error| error.to_string())?;
    let copied = buffer
        .get_mapped_range(0..bytes)
        .map(|view| view.to_vec())
        .map_err(|error| error.to_string());
    buffer.unmap();
    copied
}

/// The floats that the bytes encode.
pub(crate) fn floats(bytes: &[u8]) -> Vec<f32> {
    let (values, _) = bytes.as_chunks::<4>();
    values
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes))
        .collect()
}
