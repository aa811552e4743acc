// y = the chosen rows of x, each divided by its root mean square (Zhang and Sennrich 2019, RMSNorm,
// section 3). There are no weights: they are part of the matrix that follows.
//
// Constants: HIDDEN (a multiple of 64), EPSILON. Parts: sum.

@group(0) @binding(0) var<storage, read> rows: array<u32>; // [chosen]: row of x
@group(0) @binding(1) var<storage, read> x: array<f32>; // [rows, HIDDEN]
@group(0) @binding(2) var<storage, read_write> y: array<f32>; // [chosen, HIDDEN]

const EACH: u32 = HIDDEN / LANES;

@compute @workgroup_size(64)
fn main(place: Place) {
    let start = rows[place.group.x] * HIDDEN + place.lane;
    var own: array<f32, EACH>;
    var squares = 0.0;
    for (var i = 0u; i < EACH; i++) {
        own[i] = x[start + i * LANES];
        squares += own[i] * own[i];
    }
    let factor = inverseSqrt(group_sum(squares, place) / f32(HIDDEN) + EPSILON);
    for (var i = 0u; i < EACH; i++) {
        y[place.group.x * HIDDEN + i * LANES + place.lane] = own[i] * factor;
    }
}
