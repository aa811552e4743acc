//! Errors of a device that occur outside of any error scope.

use std::sync::{Arc, Mutex, PoisonError};

/// The first error of a device, its loss included.
#[derive(Clone, Default)]
pub(crate) struct Trouble(Arc<Mutex<Option<String>>>);

impl Trouble {
    /// Listens for errors that no one else handles.
    pub(crate) fn watch(device: &wgpu::Device) -> Self {
        let trouble = Self::default();
        let of_errors = trouble.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            of_errors.note(error.to_string());
        }));
        let of_loss = trouble.clone();
        device.set_device_lost_callback(move |_, why| {
            of_loss.note(format!("the device was lost. {why}").trim_end().to_owned());
        });
        trouble
    }

    fn note(&self, what: String) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.get_or_insert(what);
    }

    /// Forgets the error: what failed on a higher tier says nothing about the tier that passed.
    pub(crate) fn clear(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The first error, if there was one.
    pub(crate) fn get(&self) -> Option<String> {
        let noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.clone()
    }
}
