// A causal depthwise convolution over rows that are divided by their root mean square: each value
// of y is a weighted sum of the same value of its token and of the tokens before it in the same
// sequence.
//
// Constants: HIDDEN (a multiple of 64), TAPS, EPSILON. Parts: sum.

@group(0) @binding(0) var<storage, read> places: array<u32>; // [tokens]: place in its sequence
@group(0) @binding(1) var<storage, read> x: array<f32>; // [tokens, HIDDEN]
@group(0) @binding(2) var<storage, read> taps: array<f32>; // [TAPS, HIDDEN], the token's own first
@group(0) @binding(3) var<storage, read_write> y: array<f32>; // [tokens, HIDDEN]

const EACH: u32 = HIDDEN / LANES;

@compute @workgroup_size(64)
fn main(place: Place) {
    let before = places[place.group.x];
    var sums: array<f32, EACH>;
    for (var tap = 0u; tap < TAPS; tap++) {
        let start = (place.group.x - min(tap, before)) * HIDDEN + place.lane;
        var own: array<f32, EACH>;
        var squares = 0.0;
        for (var i = 0u; i < EACH; i++) {
            own[i] = x[start + i * LANES];
            squares += own[i] * own[i];
        }
        let root = inverseSqrt(group_sum(squares, place) / f32(HIDDEN) + EPSILON);
        // There is nothing before a sequence. All lanes still take part in the sum.
        let factor = select(0.0, root, tap <= before);
        for (var i = 0u; i < EACH; i++) {
            sums[i] += own[i] * factor * taps[tap * HIDDEN + i * LANES + place.lane];
        }
    }
    for (var i = 0u; i < EACH; i++) {
        y[place.group.x * HIDDEN + i * LANES + place.lane] = sums[i];
    }
}
