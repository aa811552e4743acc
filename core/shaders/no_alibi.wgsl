// Part of attention where only the order of a sequence counts, not how far apart its tokens are.

fn penalty(head: u32, distance: u32) -> f32 {
    return 0.0;
}
