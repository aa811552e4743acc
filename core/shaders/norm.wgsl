// x = layer norm of x + y, row by row in place.
//
// Constants: HIDDEN, EPSILON. Parts: sum, normalise.

@group(0) @binding(0) var<storage, read> y: array<f32>; // [rows, HIDDEN]
@group(0) @binding(1) var<storage, read> norm: array<vec2<f32>>; // [HIDDEN]: scale, shift
@group(0) @binding(2) var<storage, read_write> x: array<f32>; // [rows, HIDDEN]

@compute @workgroup_size(64)
fn main(place: Place) {
    let start = place.group.x * HIDDEN + place.lane;
    var own: array<f32, EACH>;
    for (var i = 0u; i < EACH; i++) {
        own[i] = x[start + i * LANES] + y[start + i * LANES];
    }
    normalise(&own, place);
    for (var i = 0u; i < EACH; i++) {
        x[start + i * LANES] = own[i];
    }
}
