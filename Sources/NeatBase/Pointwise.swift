// The lesser and the greater of two vectors, lane by lane, as instructions: the standard library's are calls that go
// through the lanes one by one. A declaration of any module goes before one of the standard library. As there, what is
// not a number gives way to what is one.

@inlinable @inline(__always)
package func pointwiseMin(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> SIMD2<Float> {
  a.replacing(with: b, where: (b .< a) .| (a .!= a))
}

@inlinable @inline(__always)
package func pointwiseMax(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> SIMD2<Float> {
  a.replacing(with: b, where: (b .> a) .| (a .!= a))
}

@inlinable @inline(__always)
package func pointwiseMin(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> {
  a.replacing(with: b, where: (b .< a) .| (a .!= a))
}

@inlinable @inline(__always)
package func pointwiseMax(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> {
  a.replacing(with: b, where: (b .> a) .| (a .!= a))
}

@inlinable @inline(__always)
package func pointwiseMin(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
  a.replacing(with: b, where: (b .< a) .| (a .!= a))
}

@inlinable @inline(__always)
package func pointwiseMax(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
  a.replacing(with: b, where: (b .> a) .| (a .!= a))
}

@inlinable @inline(__always)
package func pointwiseMin(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> SIMD4<Double> {
  a.replacing(with: b, where: (b .< a) .| (a .!= a))
}

@inlinable @inline(__always)
package func pointwiseMax(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> SIMD4<Double> {
  a.replacing(with: b, where: (b .> a) .| (a .!= a))
}

/// The greatest whole numbers that are not greater: `rounded(.down)` is a call for each lane where the processor need
/// not have an instruction for it.
@inlinable @inline(__always)
package func pointwiseFloor(_ a: SIMD2<Double>) -> SIMD2<Double> {
  let most = 0x1p51
  if abs(a.x) >= most || abs(a.y) >= most { return a.rounded(.down) }
  // Beside a number so large no place is left after the point.
  let nearest = (a + 0x1.8p52) - 0x1.8p52
  return nearest.replacing(with: nearest - 1, where: nearest .> a)
}
