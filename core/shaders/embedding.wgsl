// x = layer norm of word + position. Words are int8 with one scale each; the segment's vector is
// part of the positions, because every text has one segment.
//
// Constants: HIDDEN, EPSILON. Parts: sum, normalise.

@group(0) @binding(0) var<storage, read> tokens: array<vec2<u32>>; // [tokens]: word, place in its sequence
@group(0) @binding(1) var<storage, read> words: array<u32>; // [vocabulary, HIDDEN], four values each
@group(0) @binding(2) var<storage, read> scales: array<f32>; // [vocabulary]
@group(0) @binding(3) var<storage, read> positions: array<f32>; // [window, HIDDEN]
@group(0) @binding(4) var<storage, read> norm: array<vec2<f32>>; // [HIDDEN]: scale, shift
@group(0) @binding(5) var<storage, read_write> x: array<f32>; // [tokens, HIDDEN]

@compute @workgroup_size(64)
fn main(place: Place) {
    let token = tokens[place.group.x];
    let scale = scales[token.x];
    var own: array<f32, EACH>;
    for (var i = 0u; i < EACH; i++) {
        let column = i * LANES + place.lane;
        let packed = words[(token.x * HIDDEN + column) / 4u];
        let value = bitcast<i32>(packed << (24u - 8u * (column % 4u))) >> 24u;
        own[i] = f32(value) * scale + positions[token.y * HIDDEN + column];
    }
    normalise(&own, place);
    for (var i = 0u; i < EACH; i++) {
        x[place.group.x * HIDDEN + i * LANES + place.lane] = own[i];
    }
}
