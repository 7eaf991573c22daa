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
