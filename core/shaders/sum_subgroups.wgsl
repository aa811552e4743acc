// As sum.wgsl, for devices that can add up within a subgroup without using memory.

struct Place {
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) subgroups: u32,
    @builtin(subgroup_invocation_id) subgroup_lane: u32,
}

const LANES: u32 = 64u;

var<workgroup> parts: array<f32, LANES>;

fn group_sum(value: f32, place: Place) -> f32 {
    let own = subgroupAdd(value);
    if place.subgroup_lane == 0u {
        parts[place.subgroup] = own;
    }
    workgroupBarrier();
    var sum = 0.0;
    for (var i = 0u; i < place.subgroups; i++) {
        sum += parts[i];
    }
    workgroupBarrier();
    return sum;
}
