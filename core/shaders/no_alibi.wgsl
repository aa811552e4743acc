// Part of attention in which the distance between tokens does not change a score.

fn penalty(head: u32, distance: u32) -> f32 {
    return 0.0;
}
