//! What a device can do, as one of a few tiers. Only this file asks for features and limits.

use wgpu::{Features, Limits};

/// A tier; each can do everything that the lower ones can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Every WebGPU device has it.
    Basic,
    /// Products in half precision.
    F16,
    /// Sums within a subgroup. wgpu 30 does not offer this feature in browsers, so it is for native
    /// devices.
    Subgroups,
}

impl Tier {
    /// The highest tier that an adapter supports, or why it cannot be used at all.
    pub fn of(features: Features, limits: &Limits) -> Result<Self, String> {
        let needed = Self::limits();
        let checks = [
            (
                "invocations of a workgroup",
                u64::from(needed.max_compute_invocations_per_workgroup),
                u64::from(limits.max_compute_invocations_per_workgroup),
            ),
            (
                "bytes of workgroup memory",
                needed.max_compute_workgroup_storage_size.into(),
                limits.max_compute_workgroup_storage_size.into(),
            ),
            (
                "storage buffers of a kernel",
                needed.max_storage_buffers_per_shader_stage.into(),
                limits.max_storage_buffers_per_shader_stage.into(),
            ),
            (
                "bytes of a storage buffer",
                needed.max_storage_buffer_binding_size,
                limits.max_storage_buffer_binding_size,
            ),
        ];
        for (what, needed, found) in checks {
            if found < needed {
                return Err(format!("it has {found} {what}, {needed} are needed"));
            }
        }
        let tiers = [Self::Subgroups, Self::F16];
        let reached = tiers
            .into_iter()
            .find(|tier| features.contains(tier.features()));
        Ok(reached.unwrap_or(Self::Basic))
    }

    /// The features to request from the device.
    pub fn features(self) -> Features {
        match self {
            Self::Basic => Features::empty(),
            Self::F16 => Features::SHADER_F16,
            Self::Subgroups => Features::SHADER_F16 | Features::SUBGROUP,
        }
    }

    /// The limits to request from the device: those that WebGPU guarantees everywhere.
    pub fn limits() -> Limits {
        Limits::default()
    }

    /// This tier and those below it, the highest first.
    pub fn and_lower(self) -> impl Iterator<Item = Self> {
        let all = [Self::Subgroups, Self::F16, Self::Basic];
        all.into_iter().filter(move |&tier| tier <= self)
    }

    /// Calls `open` for this tier and then for each lower one until it succeeds; the error says why
    /// it fails on all.
    pub(crate) async fn first_that_works<P>(
        self,
        open: impl AsyncFn(Self) -> Result<P, String>,
    ) -> Result<(Self, P), String> {
        let mut reasons = Vec::new();
        for tier in self.and_lower() {
            match open(tier).await {
                Ok(program) => return Ok((tier, program)),
                Err(why) => reasons.push(format!("{}: {why}", tier.name())),
            }
        }
        Err(reasons.join("; "))
    }

    /// Its display name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Basic => "basic",
            Self::F16 => "f16",
            Self::Subgroups => "subgroups",
        }
    }

    /// The header of every kernel. `real` is the type that products are computed in.
    pub(super) fn header(self) -> &'static str {
        match self {
            Self::Basic => "alias real = f32;\n",
            Self::F16 | Self::Subgroups => "enable f16;\nalias real = f16;\n",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tier_follows_from_features_and_a_weak_device_is_refused_with_its_number() {
        let all = Features::SHADER_F16 | Features::SUBGROUP;
        for (features, tier) in [
            (Features::empty(), Tier::Basic),
            (Features::SUBGROUP, Tier::Basic),
            (Features::SHADER_F16, Tier::F16),
            (all, Tier::Subgroups),
        ] {
            assert_eq!(Tier::of(features, &Limits::default()), Ok(tier));
        }
        let weak = Limits {
            max_compute_invocations_per_workgroup: 128,
            ..Limits::default()
        };
        let refused = Tier::of(all, &weak).unwrap_err();
        assert_eq!(
            refused,
            "it has 128 invocations of a workgroup, 256 are needed"
        );
    }

    #[test]
    fn lower_tiers_follow_down_to_what_all_devices_have() {
        let tiers: Vec<_> = Tier::F16.and_lower().map(Tier::name).collect();
        assert_eq!(tiers, ["f16", "basic"]);
    }
}
