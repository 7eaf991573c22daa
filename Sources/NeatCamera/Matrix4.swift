import NeatBase

/// A 4 × 4 matrix of doubles in column order, as OpenGL has it: a point is multiplied from the right.
package struct Matrix4: Sendable, Equatable {
  package var columns: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)

  @inlinable package init(columns: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)) {
    self.columns = columns
  }

  package static let identity = Matrix4(
    columns: (SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0), SIMD4(0, 0, 0, 1)))

  package static func == (a: Matrix4, b: Matrix4) -> Bool {
    a.columns.0 == b.columns.0 && a.columns.1 == b.columns.1 && a.columns.2 == b.columns.2
      && a.columns.3 == b.columns.3
  }

  /// The usual perspective projection; `fovY` in radians.
  package static func perspective(fovY: Double, aspect: Double, near: Double, far: Double) -> Matrix4 {
    let f = 1 / tan(fovY / 2)
    let nf = 1 / (near - far)
    return Matrix4(
      columns: (
        SIMD4(f / aspect, 0, 0, 0), SIMD4(0, f, 0, 0), SIMD4(0, 0, (far + near) * nf, -1),
        SIMD4(0, 0, 2 * far * near * nf, 0)
      ))
  }

  @inlinable package static func * (a: Matrix4, b: Matrix4) -> Matrix4 {
    Matrix4(columns: (a * b.columns.0, a * b.columns.1, a * b.columns.2, a * b.columns.3))
  }

  @inlinable package static func * (a: Matrix4, v: SIMD4<Double>) -> SIMD4<Double> {
    let low = a.columns.0 * v.x + a.columns.1 * v.y
    return low + a.columns.2 * v.z + a.columns.3 * v.w
  }

  @inlinable package func translated(_ x: Double, _ y: Double, _ z: Double) -> Matrix4 {
    var result = self
    result.columns.3 = self * SIMD4(x, y, z, 1)
    return result
  }

  @inlinable package func scaled(_ x: Double, _ y: Double, _ z: Double) -> Matrix4 {
    Matrix4(columns: (columns.0 * x, columns.1 * y, columns.2 * z, columns.3))
  }

  package func rotatedX(_ angle: Double) -> Matrix4 {
    let (s, c) = (sin(angle), cos(angle))
    return Matrix4(
      columns: (columns.0, columns.1 * c + columns.2 * s, columns.2 * c - columns.1 * s, columns.3))
  }

  package func rotatedZ(_ angle: Double) -> Matrix4 {
    let (s, c) = (sin(angle), cos(angle))
    return Matrix4(
      columns: (columns.0 * c + columns.1 * s, columns.1 * c - columns.0 * s, columns.2, columns.3))
  }

  /// The inverse by cofactors, or nil for a singular matrix.
  package func inverted() -> Matrix4? {
    let (a, b, c, d) = columns
    let b00 = a.x * b.y - a.y * b.x
    let b01 = a.x * b.z - a.z * b.x
    let b02 = a.x * b.w - a.w * b.x
    let b03 = a.y * b.z - a.z * b.y
    let b04 = a.y * b.w - a.w * b.y
    let b05 = a.z * b.w - a.w * b.z
    let b06 = c.x * d.y - c.y * d.x
    let b07 = c.x * d.z - c.z * d.x
    let b08 = c.x * d.w - c.w * d.x
    let b09 = c.y * d.z - c.z * d.y
    let b10 = c.y * d.w - c.w * d.y
    let b11 = c.z * d.w - c.w * d.z
    let front = b00 * b11 - b01 * b10 + b02 * b09
    let determinant = front + b03 * b08 - b04 * b07 + b05 * b06
    guard determinant != 0, determinant.isFinite else { return nil }
    let k = 1 / determinant
    let c0 = SIMD4(
      b.y * b11 - b.z * b10 + b.w * b09, a.z * b10 - a.y * b11 - a.w * b09, d.y * b05 - d.z * b04 + d.w * b03,
      c.z * b04 - c.y * b05 - c.w * b03)
    let c1 = SIMD4(
      b.z * b08 - b.x * b11 - b.w * b07, a.x * b11 - a.z * b08 + a.w * b07, d.z * b02 - d.x * b05 - d.w * b01,
      c.x * b05 - c.z * b02 + c.w * b01)
    let c2 = SIMD4(
      b.x * b10 - b.y * b08 + b.w * b06, a.y * b08 - a.x * b10 - a.w * b06, d.x * b04 - d.y * b02 + d.w * b00,
      c.y * b02 - c.x * b04 - c.w * b00)
    let c3 = SIMD4(
      b.y * b07 - b.x * b09 - b.z * b06, a.x * b09 - a.y * b07 + a.z * b06, d.y * b01 - d.x * b03 - d.z * b00,
      c.x * b03 - c.y * b01 + c.z * b00)
    return Matrix4(columns: (c0 * k, c1 * k, c2 * k, c3 * k))
  }
}
