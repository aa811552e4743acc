// The natural logarithm of the probability of each row's target, from what vocabulary.wgsl found
// for all slices.
//
// Constants: SLICES.

@group(0) @binding(0) var<uniform> asked: vec4<u32>; // x: rows
@group(0) @binding(1) var<storage, read> parts: array<vec2<f32>>; // [rows, SLICES]: largest logit, sum
@group(0) @binding(2) var<storage, read> found: array<f32>; // [rows]: the logit of the target
@group(0) @binding(3) var<storage, read_write> y: array<f32>; // [rows]

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) at: vec3<u32>) {
    let row = at.x;
    if row >= asked.x {
        return;
    }
    var most = -1e30;
    for (var i = 0u; i < SLICES; i++) {
        most = max(most, parts[row * SLICES + i].x);
    }
    var sum = 0.0;
    for (var i = 0u; i < SLICES; i++) {
        let part = parts[row * SLICES + i];
        sum += part.y * exp(part.x - most);
    }
    y[row] = found[row] - most - log(sum);
}
