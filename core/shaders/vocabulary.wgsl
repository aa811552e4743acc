// For each row and each slice of the vocabulary: the largest logit, and the sum of e^(logit −
// largest), both updated word by word (Milakov and Gimelshein 2018, online softmax, section 3).
// Logits are x · Wᵀ; only the target word's logit leaves the invocation. W is int8 with one scale
// per word.
//
// A workgroup handles 64 rows and one slice, 64 words at a time, each invocation 4 × 4 of them, as
// in product.wgsl. Products of 16 inputs are added up as `real`, everything else as f32.
//
// Constants: INPUTS (a multiple of 16), WORDS (a multiple of 64), SLICES.

@group(0) @binding(0) var<uniform> asked: vec4<u32>; // x: rows
@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>; // [rows, INPUTS]
@group(0) @binding(2) var<storage, read> words: array<u32>; // [WORDS, INPUTS], four inputs each
@group(0) @binding(3) var<storage, read> scales: array<vec4<f32>>; // [WORDS], times 128
@group(0) @binding(4) var<storage, read> targets: array<u32>; // [rows]: the target word
@group(0) @binding(5) var<storage, read_write> parts: array<vec2<f32>>; // [rows, SLICES]: largest, sum
@group(0) @binding(6) var<storage, read_write> found: array<f32>; // [rows]: the logit of the target

const TILE: u32 = 64u;
const DEPTH: u32 = 16u;
const TILES: u32 = WORDS / TILE;
const EACH: u32 = (TILES + SLICES - 1u) / SLICES;

var<workgroup> left: array<real, 1024>; // [DEPTH, TILE]: input by row
var<workgroup> right: array<real, 1024>; // [DEPTH, TILE]: input by word
var<workgroup> own_parts: array<vec2<f32>, 1024>; // [TILE, 16]: for a row, by invocation

// Four int8 values as 128ths, so that products in half precision stay small.
fn unpack(packed: u32) -> vec4<real> {
    let high = vec4<u32>(packed) << vec4<u32>(24u, 16u, 8u, 0u);
    return vec4<real>(bitcast<vec4<i32>>(high) >> vec4<u32>(24u)) * real(0.0078125);
}

fn joined(one: vec2<f32>, other: vec2<f32>) -> vec2<f32> {
    let most = max(one.x, other.x);
    return vec2<f32>(most, one.y * exp(one.x - most) + other.y * exp(other.x - most));
}

// Adds four words to a row's largest logit and sum.
fn take(part: vec2<f32>, sum: vec4<f32>, row: u32, quad: u32) -> vec2<f32> {
    let logits = sum * scales[quad];
    if row < asked.x {
        let place = targets[row] - quad * 4u;
        if place < 4u {
            found[row] = logits[place];
        }
    }
    let most = max(max(logits.x, logits.y), max(logits.z, logits.w));
    return joined(part, vec2<f32>(most, dot(exp(logits - most), vec4<f32>(1.0))));
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) at: u32) {
    let first_row = group.y * TILE;
    let read_row = at / 4u;
    let read_quad = at % 4u;
    let own_quad = at % 16u;
    let own_row = at / 16u * 4u;
    var part0 = vec2<f32>(-1e30, 0.0);
    var part1 = part0;
    var part2 = part0;
    var part3 = part0;
    for (var tile = group.x * EACH; tile < min((group.x + 1u) * EACH, TILES); tile++) {
        var sum0 = vec4<f32>();
        var sum1 = vec4<f32>();
        var sum2 = vec4<f32>();
        var sum3 = vec4<f32>();
        for (var start = 0u; start < INPUTS; start += DEPTH) {
            var read = vec4<f32>();
            if first_row + read_row < asked.x {
                read = x[((first_row + read_row) * INPUTS + start) / 4u + read_quad];
            }
            let word = unpack(words[((tile * TILE + read_row) * INPUTS + start) / 4u + read_quad]);
            let place = read_quad * 4u * TILE + read_row;
            for (var i = 0u; i < 4u; i++) {
                left[place + i * TILE] = real(read[i]);
                right[place + i * TILE] = word[i];
            }
            workgroupBarrier();
            var product0 = vec4<real>();
            var product1 = vec4<real>();
            var product2 = vec4<real>();
            var product3 = vec4<real>();
            for (var input = 0u; input < DEPTH; input++) {
                let column = input * TILE + own_quad * 4u;
                let four = vec4<real>(
                    right[column],
                    right[column + 1u],
                    right[column + 2u],
                    right[column + 3u],
                );
                let rows = input * TILE + own_row;
                product0 += left[rows] * four;
                product1 += left[rows + 1u] * four;
                product2 += left[rows + 2u] * four;
                product3 += left[rows + 3u] * four;
            }
            sum0 += vec4<f32>(product0);
            sum1 += vec4<f32>(product1);
            sum2 += vec4<f32>(product2);
            sum3 += vec4<f32>(product3);
            workgroupBarrier();
        }
        let quad = tile * (TILE / 4u) + own_quad;
        let row = first_row + own_row;
        part0 = take(part0, sum0, row, quad);
        part1 = take(part1, sum1, row + 1u, quad);
        part2 = take(part2, sum2, row + 2u, quad);
        part3 = take(part3, sum3, row + 3u, quad);
    }
    own_parts[own_row * 16u + own_quad] = part0;
    own_parts[(own_row + 1u) * 16u + own_quad] = part1;
    own_parts[(own_row + 2u) * 16u + own_quad] = part2;
    own_parts[(own_row + 3u) * 16u + own_quad] = part3;
    workgroupBarrier();
    if at < TILE && first_row + at < asked.x {
        var all = own_parts[at * 16u];
        for (var i = 1u; i < 16u; i++) {
            all = joined(all, own_parts[at * 16u + i]);
        }
        parts[(first_row + at) * SLICES + group.x] = all;
    }
}
