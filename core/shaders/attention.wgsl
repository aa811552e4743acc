// Multi-head self-attention for several sequences of any length in one dispatch. Scores never leave
// the invocation: each invocation has one query, keeps its largest score so far and rescales its
// sum whenever a larger one comes (Dao et al. 2022, FlashAttention, section 3.1).
//
// A workgroup handles 64 queries of one sequence and one head, and reads keys and values 32 at a
// time.
//
// Constants: HEADS, QUADS (values per head, in fours), CAUSAL (a query sees no later token). Parts:
// alibi, which is for causal attention alone, or no_alibi.

// For each workgroup along x: the sequence's first token, the one past its last, the first query.
@group(0) @binding(0) var<storage, read> blocks: array<vec4<u32>>;
// [tokens, 3, HEADS, QUADS]: queries (already scaled), keys and values.
@group(0) @binding(1) var<storage, read> joint: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> mixed: array<vec4<f32>>; // [tokens, HEADS, QUADS]

const LANES: u32 = 64u;
const KEYS: u32 = 32u;
const WIDTH: u32 = HEADS * QUADS;

var<workgroup> keys: array<vec4<f32>, KEYS * QUADS>;
var<workgroup> values: array<vec4<f32>, KEYS * QUADS>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = blocks[group.x];
    let head = group.y * QUADS;
    // Lanes past the end compute the last query again, and discard it.
    let query = min(block.z + lane, block.y - 1u);
    var own: array<vec4<f32>, QUADS>;
    var sums: array<vec4<f32>, QUADS>;
    for (var i = 0u; i < QUADS; i++) {
        own[i] = joint[query * 3u * WIDTH + head + i];
    }
    var most = -1e30;
    var total = 0.0;
    var end = block.y;
    if CAUSAL {
        end = min(end, block.z + LANES);
    }
    for (var start = block.x; start < end; start += KEYS) {
        let count = min(KEYS, end - start);
        for (var i = lane; i < count * QUADS; i += LANES) {
            let place = (start + i / QUADS) * 3u * WIDTH + head + i % QUADS;
            keys[i] = joint[place + WIDTH];
            values[i] = joint[place + 2u * WIDTH];
        }
        workgroupBarrier();
        for (var key = 0u; key < count; key++) {
            if CAUSAL && start + key > query {
                break;
            }
            var score = 0.0;
            for (var i = 0u; i < QUADS; i++) {
                score += dot(own[i], keys[key * QUADS + i]);
            }
            score -= penalty(group.y, query - (start + key));
            if score > most {
                let factor = exp(most - score);
                total *= factor;
                for (var i = 0u; i < QUADS; i++) {
                    sums[i] *= factor;
                }
                most = score;
            }
            let share = exp(score - most);
            total += share;
            for (var i = 0u; i < QUADS; i++) {
                sums[i] += share * values[key * QUADS + i];
            }
        }
        workgroupBarrier();
    }
    if block.z + lane < block.y {
        for (var i = 0u; i < QUADS; i++) {
            mixed[query * WIDTH + head + i] = sums[i] / total;
        }
    }
}
