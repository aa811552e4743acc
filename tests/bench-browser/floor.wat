;; Products at the rate that the browser's instructions allow: all numbers stay in registers. An encoder that
;; multiplies with these instructions takes at least its number of products at this rate, whatever its layout.
;; A round of either loop is 64 products.
(module
  (func (export "plain") (param $rounds i32) (result i32)
    (local $x v128) (local $y v128) (local $k v128) (local $l v128) (local $m v128) (local $n v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (local.set $k (i16x8.splat (local.get $rounds)))
    (local.set $l (v128.const i16x8 1 2 3 4 5 6 7 8))
    (local.set $m (v128.const i16x8 8 7 6 5 4 3 2 1))
    (local.set $n (v128.const i16x8 3 1 4 1 5 9 2 6))
    (loop $next
      (local.set $x (i16x8.add (local.get $x) (local.get $l)))
      (local.set $y (i16x8.add (local.get $y) (local.get $m)))
      (local.set $a (i32x4.add (i32x4.dot_i16x8_s (local.get $k) (local.get $x)) (local.get $a)))
      (local.set $b (i32x4.add (i32x4.dot_i16x8_s (local.get $k) (local.get $y)) (local.get $b)))
      (local.set $c (i32x4.add (i32x4.dot_i16x8_s (local.get $l) (local.get $x)) (local.get $c)))
      (local.set $d (i32x4.add (i32x4.dot_i16x8_s (local.get $l) (local.get $y)) (local.get $d)))
      (local.set $e (i32x4.add (i32x4.dot_i16x8_s (local.get $m) (local.get $x)) (local.get $e)))
      (local.set $f (i32x4.add (i32x4.dot_i16x8_s (local.get $m) (local.get $y)) (local.get $f)))
      (local.set $g (i32x4.add (i32x4.dot_i16x8_s (local.get $n) (local.get $x)) (local.get $g)))
      (local.set $h (i32x4.add (i32x4.dot_i16x8_s (local.get $n) (local.get $y)) (local.get $h)))
      (br_if $next (local.tee $rounds (i32.sub (local.get $rounds) (i32.const 1)))))
    (i32x4.extract_lane 0
      (i32x4.add (i32x4.add (i32x4.add (local.get $a) (local.get $b)) (i32x4.add (local.get $c) (local.get $d)))
                 (i32x4.add (i32x4.add (local.get $e) (local.get $f)) (i32x4.add (local.get $g) (local.get $h))))))
  (func (export "relaxed") (param $rounds i32) (result i32)
    (local $x v128) (local $y v128) (local $k v128) (local $l v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $k (i8x16.splat (local.get $rounds)))
    (local.set $l (v128.const i8x16 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16))
    (loop $next
      (local.set $x (i8x16.add (local.get $x) (local.get $l)))
      (local.set $y (v128.and (local.get $x) (local.get $k)))
      (local.set $a (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $k) (local.get $x) (local.get $a)))
      (local.set $b (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $k) (local.get $y) (local.get $b)))
      (local.set $c (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $l) (local.get $x) (local.get $c)))
      (local.set $d (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $l) (local.get $y) (local.get $d)))
      (br_if $next (local.tee $rounds (i32.sub (local.get $rounds) (i32.const 1)))))
    (i32x4.extract_lane 0
      (i32x4.add (i32x4.add (local.get $a) (local.get $b)) (i32x4.add (local.get $c) (local.get $d))))))
