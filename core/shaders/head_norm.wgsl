// Normalises the queries and keys of each head in place: each is divided by its root mean square
// and multiplied by a gain of the head (Henry et al. 2020, query-key normalisation, section 3). An
// invocation handles one query or key.
//
// Constants: HEADS, QUADS (values per head, in fours), EPSILON.

@group(0) @binding(0) var<uniform> batch: vec4<u32>; // x: rows
@group(0) @binding(1) var<storage, read> gains: array<f32>; // [2, HEADS]: for queries, for keys
@group(0) @binding(2) var<storage, read_write> joint: array<vec4<f32>>; // [rows, 3, HEADS, QUADS]

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) at: vec3<u32>) {
    let row = at.x / (2u * HEADS);
    if row >= batch.x {
        return;
    }
    let part = at.x % (2u * HEADS);
    let start = (row * 3u * HEADS + part) * QUADS;
    var squares = 0.0;
    for (var i = 0u; i < QUADS; i++) {
        let own = joint[start + i];
        squares += dot(own, own);
    }
    let factor = gains[part] * inverseSqrt(squares / f32(4u * QUADS) + EPSILON);
    for (var i = 0u; i < QUADS; i++) {
        joint[start + i] *= factor;
    }
}
