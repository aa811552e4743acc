//! A device for tests.

use pollster::block_on;

use super::super::Tier;

/// The first Vulkan adapter.
pub fn open() -> wgpu::Adapter {
    let mut description = wgpu::InstanceDescriptor::new_without_display_handle();
    description.backends = wgpu::Backends::VULKAN;
    let instance = wgpu::Instance::new(description);
    let adapter = block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()));
    adapter.expect(
        "these tests need a Vulkan adapter; without a GPU install Mesa's software one \
         (Debian: apt-get install mesa-vulkan-drivers)",
    )
}

/// A device of that adapter, opened with a tier's features.
pub fn device(tier: Tier) -> (wgpu::Device, wgpu::Queue) {
    let adapter = open();
    let description = wgpu::DeviceDescriptor {
        required_features: tier.features(),
        required_limits: Tier::limits(),
        ..wgpu::DeviceDescriptor::default()
    };
    block_on(adapter.request_device(&description)).expect("a device of the tier's features")
}
