// y = GAIN · row of a table, by id; added to y if ADDS is true. The table is int8 with one scale
// per row.
//
// Constants: WIDTH (a multiple of 4), GAIN, ADDS.

@group(0) @binding(0) var<storage, read> ids: array<u32>; // [tokens]
@group(0) @binding(1) var<storage, read> table: array<u32>; // [rows, WIDTH], four values each
@group(0) @binding(2) var<storage, read> scales: array<f32>; // [rows]
@group(0) @binding(3) var<storage, read_write> y: array<vec4<f32>>; // [tokens, WIDTH]

const LANES: u32 = 64u;
const QUADS: u32 = WIDTH / 4u;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let id = ids[group.x];
    let factor = scales[id] * GAIN;
    for (var quad = lane; quad < QUADS; quad += LANES) {
        let high = vec4<u32>(table[id * QUADS + quad]) << vec4<u32>(24u, 16u, 8u, 0u);
        var value = vec4<f32>(bitcast<vec4<i32>>(high) >> vec4<u32>(24u)) * factor;
        let place = group.x * QUADS + quad;
        if ADDS {
            value += y[place];
        }
        y[place] = value;
    }
}
