//! The kernels of a program with their buffers, in the order they run.

use std::collections::BTreeMap;

use bytemuck::cast_slice;
use wgpu::util::DeviceExt;
use wgpu::{Buffer, BufferUsages, ComputePipeline};

use super::kernel::{self, Kernel};
use super::read_back;
use super::tier::Tier;

/// A kernel that is ready to run. `G` says what it is dispatched over.
pub(crate) struct Step<G> {
    pipeline: ComputePipeline,
    bound: wgpu::BindGroup,
    grid: G,
}

/// The steps of a program, and the device that runs them.
pub(crate) struct Runner<G> {
    device: wgpu::Device,
    queue: wgpu::Queue,
    steps: Vec<Step<G>>,
}

impl<G: Copy> Runner<G> {
    pub(crate) fn new(device: &wgpu::Device, queue: &wgpu::Queue, steps: Vec<Step<G>>) -> Self {
        Self {
            device: device.clone(),
            queue: queue.clone(),
            steps,
        }
    }

    /// Writes numbers to the start of a buffer.
    pub(crate) fn write(&self, buffer: &Buffer, numbers: &[u32]) {
        self.queue.write_buffer(buffer, 0, cast_slice(numbers));
    }

    /// Runs all steps, each with the number of workgroups that `size` returns for it, and reads the
    /// first `count` values of `made` through a mappable buffer.
    pub(crate) async fn run(
        &self,
        size: impl Fn(G) -> (usize, usize),
        (made, mapped): (&Buffer, &Buffer),
        count: usize,
    ) -> Result<Vec<f32>, String> {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        for step in &self.steps {
            let (x, y) = size(step.grid);
            pass.set_pipeline(&step.pipeline);
            pass.set_bind_group(0, &step.bound, &[]);
            pass.dispatch_workgroups(x as u32, y as u32, 1);
        }
        drop(pass);
        let bytes = count as u64 * 4;
        encoder.copy_buffer_to_buffer(made, 0, mapped, 0, bytes);
        self.queue.submit([encoder.finish()]);
        let read = read_back::read(&self.device, mapped, bytes).await?;
        Ok(read_back::floats(&read))
    }
}

/// Builds the steps of a program; kernels with the same source share a pipeline.
pub(crate) struct Steps<'a, G> {
    device: &'a wgpu::Device,
    tier: Tier,
    /// By source.
    pipelines: BTreeMap<String, ComputePipeline>,
    steps: Vec<Step<G>>,
}

impl<'a, G> Steps<'a, G> {
    pub(crate) fn new(device: &'a wgpu::Device, tier: Tier) -> Self {
        Self {
            device,
            tier,
            pipelines: BTreeMap::new(),
            steps: Vec::new(),
        }
    }

    /// Adds a kernel with its buffers, in the order of its bindings.
    pub(crate) fn add(&mut self, kernel: Kernel, grid: G, buffers: &[&Buffer]) {
        let (device, tier) = (self.device, self.tier);
        let pipeline = self
            .pipelines
            .entry(kernel.source(tier))
            .or_insert_with(|| kernel.pipeline(device, tier))
            .clone();
        self.steps.push(Step {
            bound: kernel::bind(device, &pipeline, buffers),
            pipeline,
            grid,
        });
    }

    /// Uploads bytes into a buffer that kernels only read.
    pub(crate) fn upload(&self, bytes: &[u8]) -> Buffer {
        let buffer = wgpu::util::BufferInitDescriptor {
            label: None,
            contents: bytes,
            usage: BufferUsages::STORAGE,
        };
        self.device.create_buffer_init(&buffer)
    }

    pub(crate) fn finish(self) -> Vec<Step<G>> {
        self.steps
    }
}

/// A buffer of this many values of four bytes each.
pub(crate) fn buffer(device: &wgpu::Device, values: usize, usage: BufferUsages) -> Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: values as u64 * 4,
        usage,
        mapped_at_creation: false,
    })
}

/// Creates something on a device. The error is what the device reports.
pub(crate) async fn checked<T>(
    device: &wgpu::Device,
    make: impl FnOnce() -> T,
) -> Result<T, String> {
    let memory_scope = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let made = make();
    let wrong = scope.pop().await;
    match memory_scope.pop().await.or(wrong) {
        Some(error) => Err(one_line(&error.to_string())),
        None => Ok(made),
    }
}

/// Device messages have many lines; this joins them.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}
