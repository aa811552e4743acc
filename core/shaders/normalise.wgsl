// Part of the kernels that end in a layer norm (Ba et al. 2016). A lane holds every 64th value of
// the row.
//
// Constants: HIDDEN (a multiple of 64), EPSILON.

const EACH: u32 = HIDDEN / LANES;

fn normalise(own: ptr<function, array<f32, EACH>>, place: Place) {
    var sum = 0.0;
    for (var i = 0u; i < EACH; i++) {
        sum += (*own)[i];
    }
    let mean = group_sum(sum, place) / f32(HIDDEN);
    var squares = 0.0;
    for (var i = 0u; i < EACH; i++) {
        (*own)[i] -= mean;
        squares += (*own)[i] * (*own)[i];
    }
    let factor = inverseSqrt(group_sum(squares, place) / f32(HIDDEN) + EPSILON);
    for (var i = 0u; i < EACH; i++) {
        let column = i * LANES + place.lane;
        (*own)[i] = (*own)[i] * factor * norm[column].x + norm[column].y;
    }
}
