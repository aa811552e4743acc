// Part of attention in which a score falls with the distance, by a slope for each head (Press et
// al. 2021, ALiBi, section 3).

@group(0) @binding(3) var<storage, read> slopes: array<f32>; // [HEADS]

fn penalty(head: u32, distance: u32) -> f32 {
    return slopes[head] * f32(distance);
}
