//! The GPU that the browser offers to this page or worker, through WebGPU.

use footnote_core::gpu::Tier;
use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::workers::describe;

/// Why no GPU can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    #[error("this browser has no WebGPU")]
    NoWebGpu,
    #[error("the browser offers no GPU: {0}")]
    NoAdapter(String),
    #[error("the GPU {0} is only emulated on the processor")]
    Emulated(String),
    #[error("the GPU is too weak: {0}")]
    Weak(String),
    #[error("the GPU could not be opened: {0}")]
    NotOpened(String),
}

/// A GPU that is ready to compute.
pub struct Opened {
    /// For example `nvidia ampere`; browsers reveal no more.
    pub name: String,
    pub tier: Tier,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
}

/// A GPU that was found but is not open yet.
#[derive(Debug)]
struct Found {
    name: String,
    is_emulated: bool,
    tier: Tier,
    adapter: wgpu::Adapter,
}

/// Opens the browser's fastest GPU. An emulated GPU is slower than using the processor directly,
/// and is opened only if `may_be_emulated` is set.
pub async fn open(may_be_emulated: bool) -> Result<Opened, GpuError> {
    let found = find().await?;
    if found.is_emulated && !may_be_emulated {
        return Err(GpuError::Emulated(found.name));
    }
    // The features and limits that its tier needs.
    let description = wgpu::DeviceDescriptor {
        required_features: found.tier.features(),
        required_limits: Tier::limits(),
        ..wgpu::DeviceDescriptor::default()
    };
    let opened = found.adapter.request_device(&description).await;
    let (device, queue) = opened.map_err(|error| GpuError::NotOpened(error.to_string()))?;
    Ok(Opened {
        name: found.name,
        tier: found.tier,
        device,
        queue,
    })
}

/// Asks the browser for its fastest GPU.
async fn find() -> Result<Found, GpuError> {
    let name = name().await?;
    let mut description = wgpu::InstanceDescriptor::new_without_display_handle();
    description.backends = wgpu::Backends::BROWSER_WEBGPU;
    let options = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..wgpu::RequestAdapterOptions::default()
    };
    let adapter = wgpu::Instance::new(description).request_adapter(&options);
    let adapter = adapter
        .await
        .map_err(|error| GpuError::NoAdapter(error.to_string()))?;
    let is_fallback = adapter.get_info().device_type == wgpu::DeviceType::Cpu;
    let tier = Tier::of(adapter.features(), &adapter.limits()).map_err(GpuError::Weak)?;
    Ok(Found {
        is_emulated: is_fallback || EMULATORS.iter().any(|known| name.contains(known)),
        name,
        tier,
        adapter,
    })
}

/// Not every browser reports these as fallbacks.
const EMULATORS: [&str; 2] = ["swiftshader", "llvmpipe"];

/// Returns what the browser reveals about its fastest GPU. wgpu passes on only one field, which
/// Chromium leaves empty.
async fn name() -> Result<String, GpuError> {
    let get = |object: &JsValue, name: &str| {
        let value = Reflect::get(object, &JsValue::from_str(name)).ok();
        value.filter(|value| !value.is_undefined() && !value.is_null())
    };
    let gpu = get(&js_sys::global(), "navigator").and_then(|navigator| get(&navigator, "gpu"));
    let gpu = gpu.ok_or(GpuError::NoWebGpu)?;
    let request = get(&gpu, "requestAdapter").and_then(|it| it.dyn_into::<Function>().ok());
    let request = request.ok_or(GpuError::NoWebGpu)?;
    let options = js_sys::Object::new();
    let preference = JsValue::from_str("high-performance");
    // If the preference cannot be set, the browser picks a GPU without it.
    let _ = Reflect::set(&options, &JsValue::from_str("powerPreference"), &preference);
    let failed = |error: JsValue| GpuError::NoAdapter(describe(&error));
    let promise = request.call1(&gpu, &options).map_err(failed)?;
    let adapter = JsFuture::from(Promise::resolve(&promise))
        .await
        .map_err(failed)?;
    let info = get(&adapter, "info");
    let info = info.ok_or_else(|| GpuError::NoAdapter("it found none".to_owned()))?;
    let part = |name: &str| get(&info, name).and_then(|part| part.as_string());
    let parts =
        ["vendor", "architecture", "description"].map(|name| part(name).unwrap_or_default());
    Ok(joined(&parts))
}

/// Joins the non-empty parts, without duplicates.
fn joined(parts: &[String]) -> String {
    let mut named: Vec<&str> = Vec::new();
    for part in parts {
        if !part.is_empty() && !named.contains(&part.as_str()) {
            named.push(part);
        }
    }
    match named[..] {
        [] => "unnamed".to_owned(),
        _ => named.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_is_named_by_what_the_browser_reports() {
        for (parts, name) in [
            (["nvidia", "ampere", ""], "nvidia ampere"),
            (
                ["google", "swiftshader", "swiftshader"],
                "google swiftshader",
            ),
            (["", "", ""], "unnamed"),
        ] {
            assert_eq!(joined(&parts.map(str::to_owned)), name);
        }
    }
}
