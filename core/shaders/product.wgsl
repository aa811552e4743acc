// y = x · W + b, then an activation (1: GELU, 2: the square of the positive part); added to y if
// ADDS is true. W is int8 with one scale per output, unpacked as it is read.
//
// A workgroup computes 64 × 64 values of y, each invocation 4 × 4 of them, from 16 inputs at a time
// in workgroup memory. Products of 16 inputs are added up as `real`, everything else as f32.
//
// Constants: INPUTS (a multiple of 16), OUTPUTS (a multiple of 64), ACTIVATION, ADDS.

@group(0) @binding(0) var<uniform> batch: vec4<u32>; // x: rows
@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>; // [rows, INPUTS]
@group(0) @binding(2) var<storage, read> weights: array<u32>; // [INPUTS, OUTPUTS], four outputs each
@group(0) @binding(3) var<storage, read> scales: array<vec4<f32>>; // [OUTPUTS], times 128
@group(0) @binding(4) var<storage, read> bias: array<vec4<f32>>; // [OUTPUTS]
@group(0) @binding(5) var<storage, read_write> y: array<vec4<f32>>; // [rows, OUTPUTS]

const TILE: u32 = 64u;
const DEPTH: u32 = 16u;

var<workgroup> left: array<real, 1024>; // [DEPTH, TILE]: input by row
var<workgroup> right: array<vec4<real>, 256>; // [DEPTH, TILE / 4]: input by four outputs

// Four int8 values as 128ths, so that products in half precision stay small.
fn unpack(packed: u32) -> vec4<real> {
    let high = vec4<u32>(packed) << vec4<u32>(24u, 16u, 8u, 0u);
    return vec4<real>(bitcast<vec4<i32>>(high) >> vec4<u32>(24u)) * real(0.0078125);
}

// x/2 · (1 + erf(x/√2)), the error function by Abramowitz and Stegun 1964, formula 7.1.26, as on
// the CPU.
fn gelu(x: vec4<f32>) -> vec4<f32> {
    let z = abs(x) * 0.70710678;
    let t = 1.0 / (z * 0.3275911 + 1.0);
    let series = ((((t * 1.0614054 - 1.453152) * t + 1.4214138) * t - 0.28449674) * t + 0.2548296) * t;
    return max(x, vec4<f32>(0.0)) - abs(x) * 0.5 * series * exp(-z * z);
}

fn store(row: u32, quad: u32, sum: vec4<f32>) {
    if row >= batch.x {
        return;
    }
    var value = sum * scales[quad] + bias[quad];
    if ACTIVATION == 1u {
        value = gelu(value);
    }
    if ACTIVATION == 2u {
        value = max(value, vec4<f32>(0.0));
        value *= value;
    }
    let place = row * (OUTPUTS / 4u) + quad;
    if ADDS {
        value += y[place];
    }
    y[place] = value;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) at: u32) {
    let first_row = group.y * TILE;
    let first_quad = group.x * (TILE / 4u);
    let read_row = at / 4u;
    let read_quad = at % 4u;
    let own_quad = at % 16u;
    let own_row = at / 16u * 4u;
    var sum0 = vec4<f32>();
    var sum1 = vec4<f32>();
    var sum2 = vec4<f32>();
    var sum3 = vec4<f32>();
    for (var start = 0u; start < INPUTS; start += DEPTH) {
        var read = vec4<f32>();
        if first_row + read_row < batch.x {
            read = x[((first_row + read_row) * INPUTS + start) / 4u + read_quad];
        }
        let place = read_quad * 4u * TILE + read_row;
        left[place] = real(read.x);
        left[place + TILE] = real(read.y);
        left[place + 2u * TILE] = real(read.z);
        left[place + 3u * TILE] = real(read.w);
        right[at] = unpack(weights[(start + at / 16u) * (OUTPUTS / 4u) + first_quad + own_quad]);
        workgroupBarrier();
        var part0 = vec4<real>();
        var part1 = vec4<real>();
        var part2 = vec4<real>();
        var part3 = vec4<real>();
        for (var input = 0u; input < DEPTH; input++) {
            let four = right[input * (TILE / 4u) + own_quad];
            let rows = input * TILE + own_row;
            part0 += left[rows] * four;
            part1 += left[rows + 1u] * four;
            part2 += left[rows + 2u] * four;
            part3 += left[rows + 3u] * four;
        }
        sum0 += vec4<f32>(part0);
        sum1 += vec4<f32>(part1);
        sum2 += vec4<f32>(part2);
        sum3 += vec4<f32>(part3);
        workgroupBarrier();
    }
    let row = first_row + own_row;
    let quad = first_quad + own_quad;
    store(row, quad, sum0);
    store(row + 1u, quad, sum1);
    store(row + 2u, quad, sum2);
    store(row + 3u, quad, sum3);
}
