//! The GPU's own tests run on any Vulkan adapter; without a GPU that is Mesa's lavapipe.

mod decoder;
pub(crate) mod device;
mod kernels;

use super::Tier;

#[test]
fn the_tests_know_what_they_run_on() {
    let adapter = device::open();
    let tier = Tier::of(adapter.features(), &adapter.limits());
    assert!(tier.is_ok(), "{tier:?} on {}", adapter.get_info().name);
}
