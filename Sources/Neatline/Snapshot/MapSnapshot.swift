/// A finished picture of a map, and what is where in it.
public struct MapSnapshot: Sendable {
  /// The picture.
  public let image: Image
  /// Where it was seen from.
  public let cameraState: CameraState
  /// Its width and height in logical pixels, and its pixel ratio.
  public let size: PictureSize
  /// What it is laid onto.
  public let projection: CameraProjection
  /// Whom its data is owed to, as `Map.attribution` has it.
  public let attributions: [String]
  /// What it had to do without.
  public let report: PictureReport

  /// Where a place is in the picture, in logical pixels from its top left corner; (-1, -1) where it is not. Throws
  /// `invalidArgument` for what is no place.
  public func point(for coordinate: Coordinate) throws(NeatlineError) -> ScreenPoint {
    try cameraState.point(for: coordinate, in: size, projection: projection)
  }

  /// The place at a point of the picture; nil at the horizon and above. Throws `invalidArgument` for what is no
  /// point.
  public func coordinate(for point: ScreenPoint) throws(NeatlineError) -> Coordinate? {
    try cameraState.coordinate(for: point, in: size, projection: projection)
  }
}

/// What a host draws with, before or after a map: while its handler runs.
public struct SnapshotOverlay {
  /// The pixels.
  public let context: SnapshotContext
  /// Where a place is, in logical pixels from the top left corner; (-1, -1) where it is not.
  public let pointForCoordinate: (Coordinate) -> ScreenPoint
  /// The place at a point; nil at the horizon and above.
  public let coordinateForPoint: (ScreenPoint) -> Coordinate?

  init(_ context: SnapshotContext, _ camera: Camera, _ size: PictureSize, _ projection: CameraProjection) {
    self.context = context
    pointForCoordinate = { (try? camera.point(for: $0, in: size, projection: projection)) ?? .outside }
    coordinateForPoint = { try? camera.coordinate(for: $0, in: size, projection: projection) }
  }
}

/// Draws over a map's picture, or beneath it.
public typealias SnapshotOverlayHandler = (SnapshotOverlay) -> Void

/// `SnapshotOverlayHandler`, by the name that goes with `MapSnapshot`.
public typealias MapSnapshotOverlayHandler = SnapshotOverlayHandler

/// The pixels of a picture that is being made.
public final class SnapshotContext {
  /// Device pixels.
  public let width: Int
  /// Device pixels.
  public let height: Int
  /// Device pixels a logical pixel.
  public let pixelRatio: Double
  private var bytes: [UInt8]

  /// Where nothing is drawn yet.
  init(width: Int, height: Int, pixelRatio: Double) {
    (self.width, self.height, self.pixelRatio) = (width, height, pixelRatio)
    bytes = [UInt8](repeating: 0, count: width * height * 4)
  }

  /// The premultiplied RGBA bytes, rows from the top without padding; not to be kept.
  public func withPixels<R>(_ body: (UnsafeMutableBufferPointer<UInt8>) throws -> R) rethrows -> R {
    try bytes.withUnsafeMutableBufferPointer { try body($0) }
  }

  /// Lays an image over what is there, a pixel of it on a device pixel. `anchor`: which part of it is at the point,
  /// in logical pixels from the top left corner. What is past the picture is left out.
  public func draw(_ image: Image, at point: ScreenPoint, anchor: IconAnchor = .center) {
    let (dx, dy) = anchor.part
    let left = (point.x * pixelRatio - dx * Double(image.width)).rounded()
    let top = (point.y * pixelRatio - dy * Double(image.height)).rounded()
    // Past these nothing of it is in the picture.
    guard abs(left) < 1e6, abs(top) < 1e6 else { return }
    lay(image, Int(left), Int(top))
  }

  /// Lays an image over what is there, from a device pixel on.
  func lay(_ image: Image, _ left: Int, _ top: Int) {
    let (width, height) = (width, height)
    let (columns, rows) = (image.width, image.height)
    let x0 = max(0, left)
    let x1 = min(width, left + columns)
    let y0 = max(0, top)
    let y1 = min(height, top + rows)
    guard x0 < x1, y0 < y1 else { return }
    image.withPixels { source in
      guard source.count == columns * rows * 4 else { return }
      bytes.withUnsafeMutableBufferPointer { target in
        for y in y0..<y1 {
          var from = 4 * ((y - top) * columns + x0 - left)
          var to = 4 * (y * width + x0)
          for _ in x0..<x1 {
            let rest = UInt32(255 - source[from + 3])
            for channel in 0..<4 {
              let below = UInt32(target[to + channel]) * rest
              // Of premultiplied colours: at most 255. Those that are not stay within a byte all the same.
              let sum = UInt32(source[from + channel]) + (below + 127) / 255
              target[to + channel] = UInt8(min(255, sum))
            }
            from += 4
            to += 4
          }
        }
      }
    }
  }

  func image() throws(NeatlineError) -> Image { try Image(width: width, height: height, pixels: bytes) }
}

extension IconAnchor {
  /// Which part of an image's width and height is left of and above the anchor.
  fileprivate var part: (Double, Double) {
    switch self {
    case .center: (0.5, 0.5)
    case .left: (0, 0.5)
    case .right: (1, 0.5)
    case .top: (0.5, 0)
    case .bottom: (0.5, 1)
    case .topLeft: (0, 0)
    case .topRight: (1, 0)
    case .bottomLeft: (0, 1)
    case .bottomRight: (1, 1)
    }
  }
}
