// The mean of each sequence's rows, scaled to length 1; a zero vector stays zero.
//
// Constants: HIDDEN (a multiple of 64). Parts: sum.

@group(0) @binding(0) var<storage, read> sequences: array<vec2<u32>>; // first token, the one past the last
@group(0) @binding(1) var<storage, read> x: array<f32>; // [tokens, HIDDEN]
@group(0) @binding(2) var<storage, read_write> pooled: array<f32>; // [sequences, HIDDEN]

const EACH: u32 = HIDDEN / LANES;

@compute @workgroup_size(64)
fn main(place: Place) {
    let sequence = sequences[place.group.x];
    var own: array<f32, EACH>;
    for (var token = sequence.x; token < sequence.y; token++) {
        for (var i = 0u; i < EACH; i++) {
            own[i] += x[token * HIDDEN + i * LANES + place.lane];
        }
    }
    var squares = 0.0;
    for (var i = 0u; i < EACH; i++) {
        squares += own[i] * own[i];
    }
    let length = sqrt(group_sum(squares, place));
    let factor = select(0.0, 1.0 / length, length > 0.0);
    for (var i = 0u; i < EACH; i++) {
        pooled[place.group.x * HIDDEN + i * LANES + place.lane] = own[i] * factor;
    }
}
