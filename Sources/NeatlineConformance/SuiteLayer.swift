import Neatline

/// The layers that cases of the suite add by name. There they are programs for WebGL; here they draw the same shapes.
final class SuiteLayer: CustomLayerHost {
  private let draw: (CustomLayerRenderParameters, CustomLayerTarget) throws -> Void

  private init(_ draw: @escaping (CustomLayerRenderParameters, CustomLayerTarget) throws -> Void) {
    self.draw = draw
  }

  func render(_ parameters: CustomLayerRenderParameters, on target: CustomLayerTarget) throws {
    try draw(parameters, target)
  }

  static func named(_ name: String) throws -> SuiteLayer {
    switch name {
    // The heights are in units of the world on the plane, and in metres on the globe.
    case "tent-3d": SuiteLayer { try tent($1, ridge: 0.01) }
    case "tent-3d-globe": SuiteLayer { try tent($1, ridge: 500_000 / equator) }
    case "null-island": SuiteLayer { square($0, $1) }
    default: throw Failure("no custom layer is called \(name)")
    }
  }

  private static let equator = 2 * Double.pi * 6_378_137.0

  /// A roof of two slopes, open at its ends: red from outside, dark from inside.
  private static func tent(_ target: CustomLayerTarget, ridge: Double) throws {
    let (west, east, north, middle, south) = (0.485, 0.495, 0.49, 0.5, 0.51)
    let corners: [SIMD3<Double>] = [
      SIMD3(west, north, 0), SIMD3(east, north, 0), SIMD3(west, middle, ridge), SIMD3(east, middle, ridge),
      SIMD3(west, south, 0), SIMD3(east, south, 0),
    ]
    // Counterclockwise from above.
    let outside: [UInt32] = [0, 2, 1, 1, 2, 3, 2, 4, 3, 3, 4, 5]
    func vertices(_ color: SIMD4<Float>) -> [CustomLayerTarget.Vertex] {
      corners.map { CustomLayerTarget.Vertex($0, color: color) }
    }
    try target.drawSolid(vertices(SIMD4(1, 0, 0, 1)), indices: outside, faces: .front)
    try target.drawSolid(vertices(SIMD4(0.25, 0, 0, 1)), indices: outside.reversed(), faces: .front)
  }

  /// A red square of 20 pixels where the null meridian meets the equator.
  private static func square(_ parameters: CustomLayerRenderParameters, _ target: CustomLayerTarget) {
    guard let pixels = target.pixels else { return }
    let m = parameters.projectionMatrix
    func row(_ number: Int) -> Double { (m[number] + m[4 + number]) * 0.5 + m[12 + number] }
    guard row(3) > 0 else { return }
    let x = (row(0) / row(3) + 1) / 2 * Double(pixels.width)
    let y = (1 - row(1) / row(3)) / 2 * Double(pixels.height)
    for line in 0..<pixels.height where abs(Double(line) + 0.5 - y) < 10 {
      for column in 0..<pixels.width where abs(Double(column) + 0.5 - x) < 10 {
        pixels.bytes.storeBytes(
          of: 0xFF00_00FF, toByteOffset: line * pixels.bytesPerRow + 4 * column, as: UInt32.self)
      }
    }
  }
}
