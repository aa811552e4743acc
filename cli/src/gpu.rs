//! The first GPU that Vulkan offers, for commands that use one.

use footnote_core::embed::{GpuEmbedder, ModelFiles};
use footnote_core::gpu::Tier;
use pollster::block_on;

use crate::Result;

/// A GPU and the best tier that it supports.
pub struct Gpu {
    pub adapter: wgpu::Adapter,
    pub best: Tier,
}

impl Gpu {
    pub fn find() -> Result<Self> {
        let mut description = wgpu::InstanceDescriptor::new_without_display_handle();
        description.backends = wgpu::Backends::VULKAN;
        let instance = wgpu::Instance::new(description);
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..wgpu::RequestAdapterOptions::default()
        };
        let adapter = block_on(instance.request_adapter(&options))?;
        let best = Tier::of(adapter.features(), &adapter.limits())?;
        Ok(Self { adapter, best })
    }

    /// The encoder on a device of its own, opened with the features that `tier` needs.
    pub fn embedder(&self, tier: Tier, files: ModelFiles) -> Result<GpuEmbedder> {
        let (device, queue) = block_on(self.adapter.request_device(&wgpu::DeviceDescriptor {
            required_features: tier.features(),
            required_limits: Tier::limits(),
            ..wgpu::DeviceDescriptor::default()
        }))?;
        Ok(block_on(GpuEmbedder::new(&device, &queue, tier, files))?)
    }
}
