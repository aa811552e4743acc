//! The first GPU that Vulkan offers, for commands that run models on it.

use footnote_core::code_model::gpu::GpuCodeModel;
use footnote_core::code_model::{LanguageModel, ModelError, ModelInput, TokenProbability};
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

    /// The encoder on a device of its own.
    pub fn embedder(&self, tier: Tier, files: ModelFiles) -> Result<GpuEmbedder> {
        let (device, queue) = self.device(tier)?;
        Ok(block_on(GpuEmbedder::new(&device, &queue, tier, files))?)
    }

    /// The code language model on a device of its own, at the best tier.
    pub fn code_model(&self, files: ModelFiles) -> Result<Box<dyn LanguageModel>> {
        let (device, queue) = self.device(self.best)?;
        let model = block_on(GpuCodeModel::new(&device, &queue, self.best, files))?;
        Ok(Box::new(CodeModel(model)))
    }

    /// A device that was opened with the features that `tier` needs.
    fn device(&self, tier: Tier) -> Result<(wgpu::Device, wgpu::Queue)> {
        let device = self.adapter.request_device(&wgpu::DeviceDescriptor {
            required_features: tier.features(),
            required_limits: Tier::limits(),
            ..wgpu::DeviceDescriptor::default()
        });
        Ok(block_on(device)?)
    }
}

/// Waits for the device.
struct CodeModel(GpuCodeModel);

impl LanguageModel for CodeModel {
    fn model_id(&self) -> &str {
        self.0.model_id()
    }

    fn read(
        &mut self,
        inputs: &[ModelInput<'_>],
    ) -> std::result::Result<Vec<Vec<TokenProbability>>, ModelError> {
        block_on(self.0.read(inputs))
    }
}
