import NeatBase
import NeatRaster

/// What a map says about itself in its corners. Names, positions and margins are those of version 10 of the
/// mobile SDKs; nothing is shown unless its visibility says so.
package struct Ornaments: Sendable, Equatable {
  package var scaleBar = OrnamentScaleBar()
  package var compass = OrnamentCompass()
  package var attribution = OrnamentAttribution()
  package var logo = OrnamentLogo()

  package init() {}

  /// Whether there is nothing to draw, whatever the camera.
  package var isEmpty: Bool { OrnamentKind.allCases.allSatisfy { place(of: $0).visibility == .hidden } }

  package func place(of kind: OrnamentKind) -> OrnamentPlace {
    switch kind {
    case .scaleBar: scaleBar.place
    case .compass: compass.place
    case .attribution: attribution.place
    case .logo: logo.place
    }
  }

  /// Bytes that the host's pictures take, as they are given and as they are shown.
  package var imageByteCount: Int {
    2 * [logo.image, compass.image].reduce(0) { $0 + ($1?.texture.byteCount ?? 0) }
  }

  /// Throws `invalidArgument` for margins out of their range, naming them.
  package func checked() throws(NeatError) -> Ornaments {
    for kind in OrnamentKind.allCases {
      let margins = place(of: kind).margins
      guard OrnamentPlace.marginRange.contains(margins.x), OrnamentPlace.marginRange.contains(margins.y)
      else {
        throw NeatError(
          .invalidArgument,
          "margins \(margins.x), \(margins.y) of \"\(kind.name)\" are not within 0 to 4096 logical pixels")
      }
    }
    return self
  }
}

/// Which ornament. The numbers are those of `neat_ornament`.
package enum OrnamentKind: UInt32, Sendable, CaseIterable {
  case scaleBar = 1
  case compass = 2
  case attribution = 3
  case logo = 4

  /// As JSON names it.
  package var name: String {
    switch self {
    case .scaleBar: "scaleBar"
    case .compass: "compass"
    case .attribution: "attribution"
    case .logo: "logo"
    }
  }

  /// Who has the corner where several stand in one: the first of these.
  static let order: [OrnamentKind] = [.attribution, .logo, .scaleBar, .compass]
}

/// Where an ornament stands, and whether it does.
package struct OrnamentPlace: Sendable, Equatable {
  package enum Visibility: String, Sendable, CaseIterable { case adaptive, visible, hidden }

  /// The corners. Leading is left.
  package enum Position: String, Sendable, CaseIterable {
    case topLeft, topRight, bottomLeft, bottomRight
    case topLeading, topTrailing, bottomLeading, bottomTrailing

    package var isTop: Bool {
      switch self {
      case .topLeft, .topRight, .topLeading, .topTrailing: true
      case .bottomLeft, .bottomRight, .bottomLeading, .bottomTrailing: false
      }
    }

    package var isLeft: Bool {
      switch self {
      case .topLeft, .topLeading, .bottomLeft, .bottomLeading: true
      case .topRight, .topTrailing, .bottomRight, .bottomTrailing: false
      }
    }
  }

  package static let marginRange = 0.0...4096.0

  package var position: Position
  /// Logical pixels from the map's edges.
  package var margins = SIMD2(8.0, 8.0)
  package var visibility = Visibility.hidden

  package init(_ position: Position) { self.position = position }
}

package struct OrnamentScaleBar: Sendable, Equatable {
  package enum Units: String, Sendable, CaseIterable { case metric, imperial, nautical }

  package var place = OrnamentPlace(.topLeft)
  package var units = Units.metric
}

package struct OrnamentCompass: Sendable, Equatable {
  package var place = OrnamentPlace(.topRight)
  /// In the place of the one that is drawn, its top to the north; nil: none.
  package var image: OrnamentImage?
}

package struct OrnamentAttribution: Sendable, Equatable {
  package var place = OrnamentPlace(.bottomRight)
  /// In the place of what the sources say; nil: that.
  package var text: String?
  /// Whether there is a button in the place of the text, and the host tells the text where somebody taps it.
  package var isCompact = false
}

package struct OrnamentLogo: Sendable, Equatable {
  package var place = OrnamentPlace(.bottomLeft)
  package var image: OrnamentImage?
}

/// A picture of the host's.
package final class OrnamentImage: Sendable, Equatable {
  /// Pixels of an edge at most.
  package static let edgeLimit = 2048

  let texture: Texture
  let pixelRatio: Double

  /// Throws `invalidArgument` for an image without pixels and a pixel ratio that is not within 0 to 16 (0
  /// stands for 1), `limitExceeded` past `edgeLimit`.
  package init(_ image: PixelImage, pixelRatio: Double) throws(NeatError) {
    try OrnamentImage.check(width: image.width, height: image.height, pixelRatio: pixelRatio)
    texture = Texture(image)
    self.pixelRatio = pixelRatio == 0 ? 1 : pixelRatio
  }

  /// Throws as the initializer does.
  package static func check(width: Int, height: Int, pixelRatio: Double) throws(NeatError) {
    guard width > 0, height > 0 else { throw NeatError(.invalidArgument, "the image has no pixels") }
    guard max(width, height) <= edgeLimit else {
      throw NeatError(
        .limitExceeded, "an image of \(width)x\(height) pixels: \(edgeLimit) an edge at most")
    }
    guard (0...16).contains(pixelRatio) else {
      throw NeatError(.invalidArgument, "pixel ratio \(pixelRatio) is not within 0...16")
    }
  }

  package static func == (a: OrnamentImage, b: OrnamentImage) -> Bool { a === b }

  /// Logical pixels.
  var size: SIMD2<Double> { SIMD2(Double(texture.width), Double(texture.height)) / pixelRatio }
}
