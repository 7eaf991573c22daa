import NeatBase
import NeatCamera
import NeatJSON
import NeatRaster
import NeatStyle

/// The parts of a puck that are pictures, from below. The numbers are those of `neat_puck_image`.
package enum PuckImageKind: UInt32, Sendable, CaseIterable {
  case shadow = 0
  case bearing = 1
  case top = 2
}

/// A picture of a puck.
package struct PuckImage: Sendable {
  let texture: Texture
  /// Texels to a logical pixel.
  let pixelRatio: Double
  /// What the texels hold of a budget.
  package var hold: MemoryHold?

  /// Bytes of the texels.
  package var byteCount: Int { texture.byteCount }

  /// Texels along an edge at most.
  package static let maxEdge = 1024

  /// Throws `image` for a picture without pixels, `limitExceeded` for one past 1024 pixels an edge,
  /// `invalidArgument` for a ratio that is not within 0.1 to 16.
  package init(_ picture: PixelImage, pixelRatio: Double) throws(NeatError) {
    guard picture.width > 0, picture.height > 0 else {
      throw NeatError(.image, "a puck's image of \(picture.width)x\(picture.height) pixels is empty")
    }
    guard picture.width <= PuckImage.maxEdge, picture.height <= PuckImage.maxEdge else {
      throw NeatError(
        .limitExceeded,
        "a puck's image of \(picture.width)x\(picture.height) pixels: \(PuckImage.maxEdge) an edge are the most"
      )
    }
    guard (0.1...16).contains(pixelRatio) else {
      throw NeatError(.invalidArgument, "pixel ratio \(pixelRatio) is not within 0.1...16")
    }
    texture = Texture(picture, mipmaps: true)
    self.pixelRatio = pixelRatio
  }

  init(_ texture: Texture, pixelRatio: Double) { (self.texture, self.pixelRatio) = (texture, pixelRatio) }
}

/// How large the pictures of a puck are drawn: a number, or an expression of the zoom.
package struct PuckScale: Sendable {
  /// As it was given.
  package let json: JSON
  private let expression: CompiledExpression

  package static let range = 0.0...100.0

  /// Throws `invalidArgument` for a number out of 0 to 100, `expression` for an expression that is none or that
  /// asks for more than the zoom.
  package init(_ json: JSON, named name: String = "scale") throws(NeatError) {
    if let number = json.number, !PuckScale.range.contains(number) {
      throw NeatError(.invalidArgument, "\"\(name)\" \(number) is not within 0...100")
    }
    switch CompiledExpression.compile(json, spec: .expression(.number)) {
    case .success(let expression): self.expression = expression
    case .failure(let errors):
      throw NeatError(.expression, "\"\(name)\": \(errors.errors.first?.message ?? "no expression")")
    }
    guard expression.isFeatureConstant else {
      throw NeatError(.expression, "\"\(name)\" depends on features, and a puck has none")
    }
    self.json = json
  }

  package static var one: PuckScale {
    // swift-format-ignore: NeverUseForceTry
    try! PuckScale(.number(1))
  }

  /// At a zoom; 1 where the expression has no value there.
  func value(zoom: Double, _ evaluator: Evaluator) -> Double {
    let value = expression.number(evaluator, at: .camera(zoom: zoom)) ?? 1
    return CameraRange.hold(value, PuckScale.range)
  }
}

/// How a flat puck looks. The members and their values before they are set are those of the mobile SDKs'
/// version 10.
package struct Puck2D: Sendable {
  /// A circle that grows and fades around the puck, over and over.
  package struct Pulsing: Sendable, Hashable {
    package enum Radius: Sendable, Hashable {
      /// Logical pixels.
      case constant(Double)
      /// That of the accuracy ring.
      case accuracy
    }

    package var color = Color(r: 0.29, g: 0.565, b: 0.886, a: 1)
    package var radius = Radius.constant(30)
    package var periodMS = 3000.0

    package init() {}
  }

  /// Of the whole puck, its ring and its pulses.
  package var opacity = 1.0
  package var scale = PuckScale.one
  package var pulsing: Pulsing?
  package var showsAccuracyRing = false
  package var ringColor = Puck2D.standardRing
  package var ringBorderColor = Puck2D.standardRing
  /// Whether a puck without a picture for its bearing has the arrow of its own.
  package var showsBearing = false
  package var images: [PuckImageKind: PuckImage] = [:]
  /// How a model is shown, where there is one.
  package var model = PuckModelOptions()

  package static let standardRing = Color(r: 0.537, g: 0.812, b: 0.941, a: 0.3)

  package init() {}
}

/// What a frame shows of a puck.
package struct PuckScene: Sendable {
  package var puck: Puck2D
  package var location: ShownLocation
  /// The ring alone is shown, for a location of reduced accuracy.
  package var isReduced: Bool
  /// Degrees clockwise from north that the pictures are turned.
  package var bearing: Double
  /// How far a pulse has come, 0 to 1; nil where none is seen.
  package var pulse: Double?
  /// What stands in the place of the pictures.
  package var model: PuckModelHolder?
  let artwork: PuckArtwork

  package init(
    _ puck: Puck2D, at location: ShownLocation, isReduced: Bool = false, bearing: Double = 0,
    pulse: Double? = nil, model: PuckModelHolder? = nil, artwork: PuckArtwork
  ) {
    self.model = model
    self.puck = puck
    self.location = location
    self.isReduced = isReduced
    self.bearing = bearing
    self.pulse = pulse
    self.artwork = artwork
  }

  /// How far a pulse has come by the time that is over, 0 to 1: fast at first.
  package static func pulse(part: Double) -> Double {
    AnimationCurve.bezier(x1: 0, y1: 0, x2: 0.25, y2: 1).value(at: min(max(part, 0), 1))
  }
}
