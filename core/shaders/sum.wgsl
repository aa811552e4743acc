// Part of the kernels whose 64 invocations share one row: sums a value over all of them.

struct Place {
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
}

const LANES: u32 = 64u;

var<workgroup> parts: array<f32, LANES>;

fn group_sum(value: f32, place: Place) -> f32 {
    parts[place.lane] = value;
    for (var reach = LANES / 2u; reach > 0u; reach /= 2u) {
        workgroupBarrier();
        if place.lane < reach {
            parts[place.lane] += parts[place.lane + reach];
        }
    }
    workgroupBarrier();
    let sum = parts[0];
    workgroupBarrier();
    return sum;
}
