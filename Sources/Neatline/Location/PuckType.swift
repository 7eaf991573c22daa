import CNeatline

/// What stands where the user is, with the names of version 10 of the mobile SDKs.
public enum PuckType: Hashable, Sendable {
  /// Pictures that lie on the map.
  case puck2D(Puck2DConfiguration = Puck2DConfiguration())
  /// A model of triangles.
  case puck3D(Puck3DConfiguration)
}

/// A glTF 2.0 model: a `.glb`, or a `.gltf` whose buffers are `data:` URLs.
public struct Model: Hashable, Sendable {
  /// The file's bytes.
  public var data: [UInt8]

  /// A model from its bytes; they are read when they are set.
  public init(data: [UInt8]) { self.data = data }
}

/// How a model looks that stands where the user is.
public struct Puck3DConfiguration: Hashable, Sendable {
  /// What a unit of a model is.
  public enum ScaleMode: String, Hashable, Sendable, CaseIterable {
    /// A logical pixel, at any zoom.
    case viewport
    /// A metre.
    case map
  }

  /// What stands there.
  public var model: Model
  /// Its size, 0 to 100 or an expression of the zoom; nil: 1.
  public var modelScale: Value<Double>?
  /// Degrees about x, y and z by which it is turned before it takes the puck's bearing; nil: none.
  public var modelRotation: [Double]?
  /// 0 to 1.
  public var modelOpacity: Double
  /// What its unit is.
  public var modelScaleMode: ScaleMode

  /// A model.
  public init(
    model: Model, modelScale: Value<Double>? = nil, modelRotation: [Double]? = nil, modelOpacity: Double = 1,
    modelScaleMode: ScaleMode = .viewport
  ) {
    self.model = model
    self.modelScale = modelScale
    self.modelRotation = modelRotation
    self.modelOpacity = modelOpacity
    self.modelScaleMode = modelScaleMode
  }

  /// Throws where a number is none, which JSON does not have.
  var json: JSONValue {
    get throws(NeatlineError) {
      for number in [modelOpacity, modelScale?.constant ?? 0] + (modelRotation ?? []) where !number.isFinite {
        throw NeatlineError(.invalidArgument, "puck: \(number) is no number")
      }
      var members = [
        JSONValue.Member("opacity", .number(modelOpacity)),
        JSONValue.Member("modelScaleMode", .string(modelScaleMode.rawValue)),
      ]
      if let modelScale { members.append(JSONValue.Member("modelScale", modelScale.json)) }
      if let modelRotation {
        members.append(JSONValue.Member("modelRotation", .array(modelRotation.map { .number($0) })))
      }
      return .object(members)
    }
  }
}

/// How a flat puck looks.
public struct Puck2DConfiguration: Hashable, Sendable {
  /// A circle that grows and fades around the puck, over and over.
  public struct Pulsing: Hashable, Sendable {
    /// How large the circle becomes.
    public enum Radius: Hashable, Sendable {
      /// Logical pixels, 0 to 10,000.
      case constant(Double)
      /// As large as the accuracy ring.
      case accuracy
    }

    /// As the mobile SDKs have it: blue, 30 pixels.
    public static let `default` = Pulsing()

    /// Whether it is seen.
    public var isEnabled = true
    /// Its colour at the start; it fades.
    public var color: StyleColor
    /// How large it becomes.
    public var radius: Radius
    /// Milliseconds from one to the next, 100 to 60,000.
    public var period: Double

    /// A circle of a colour, a size and a time.
    public init(
      color: StyleColor = StyleColor(rawValue: "rgb(74,144,226)"), radius: Radius = .constant(30),
      period: Double = 3000
    ) {
      self.color = color
      self.radius = radius
      self.period = period
    }
  }

  /// A picture of a puck, with its pixels to a logical one. Up is where the puck points.
  public struct Picture: Hashable, Sendable {
    /// The picture, 1024 pixels an edge at most.
    public var image: Image
    /// Its pixels to a logical one, 0.1 to 16.
    public var pixelRatio: Double

    /// A picture.
    public init(_ image: Image, pixelRatio: Double = 1) {
      self.image = image
      self.pixelRatio = pixelRatio
    }

    /// Pictures are the same where they are one object.
    public static func == (a: Picture, b: Picture) -> Bool {
      a.image === b.image && a.pixelRatio == b.pixelRatio
    }

    /// Puts the object into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(image)) }
  }

  /// On top; nil: a blue dot.
  public var topImage: Picture?
  /// In between, which shows the bearing; nil: nothing, or an arrow where `showsBearing` is set.
  public var bearingImage: Picture?
  /// Under both; nil: a white disc with a shadow.
  public var shadowImage: Picture?
  /// Size of the pictures, 0 to 100 or an expression of the zoom; nil: 1.
  public var scale: Value<Double>?
  /// A circle that grows and fades; nil: none.
  public var pulsing: Pulsing?
  /// Whether a ring shows the horizontal accuracy.
  public var showsAccuracyRing: Bool
  /// The ring's colour.
  public var accuracyRingColor: StyleColor
  /// The colour of its border, one pixel wide.
  public var accuracyRingBorderColor: StyleColor
  /// Of all of it, 0 to 1.
  public var opacity: Double
  /// Whether there is an arrow where no picture shows the bearing.
  public var showsBearing = false

  /// A puck; what is left out is as the mobile SDKs have it.
  public init(
    topImage: Picture? = nil, bearingImage: Picture? = nil, shadowImage: Picture? = nil,
    scale: Value<Double>? = nil, pulsing: Pulsing? = nil, showsAccuracyRing: Bool = false,
    accuracyRingColor: StyleColor = StyleColor(rawValue: "rgba(137,207,240,0.3)"),
    accuracyRingBorderColor: StyleColor = StyleColor(rawValue: "rgba(137,207,240,0.3)"), opacity: Double = 1
  ) {
    self.topImage = topImage
    self.bearingImage = bearingImage
    self.shadowImage = shadowImage
    self.scale = scale
    self.pulsing = pulsing
    self.showsAccuracyRing = showsAccuracyRing
    self.accuracyRingColor = accuracyRingColor
    self.accuracyRingBorderColor = accuracyRingBorderColor
    self.opacity = opacity
  }

  /// The puck with its own pictures, with or without the arrow.
  public static func makeDefault(showBearing: Bool = false) -> Puck2DConfiguration {
    var result = Puck2DConfiguration()
    result.showsBearing = showBearing
    return result
  }
}

extension Puck2DConfiguration {
  /// Throws where a number is none, which JSON does not have.
  var json: JSONValue {
    get throws(NeatlineError) {
      let radius: JSONValue =
        switch pulsing?.radius {
        case .accuracy?: .string("accuracy")
        case .constant(let pixels)?: .number(pixels)
        case nil: .null
        }
      for number in [opacity, pulsing?.period ?? 0, radius.number ?? 0, scale?.constant ?? 0]
      where !number.isFinite {
        throw NeatlineError(.invalidArgument, "puck: \(number) is no number")
      }
      var members: [JSONValue.Member] = [
        JSONValue.Member("opacity", .number(opacity)), JSONValue.Member("showsBearing", .bool(showsBearing)),
        JSONValue.Member("showsAccuracyRing", .bool(showsAccuracyRing)),
        JSONValue.Member("accuracyRingColor", accuracyRingColor.json),
        JSONValue.Member("accuracyRingBorderColor", accuracyRingBorderColor.json),
      ]
      if let scale { members.append(JSONValue.Member("scale", scale.json)) }
      if let pulsing, pulsing.isEnabled {
        members.append(
          JSONValue.Member(
            "pulsing",
            .object([
              JSONValue.Member("color", pulsing.color.json), JSONValue.Member("radius", radius),
              JSONValue.Member("period", .number(pulsing.period)),
            ])))
      }
      return .object(members)
    }
  }

  /// The pictures by the kinds of the C header.
  var pictures: [(neat_puck_image, Picture?)] {
    [
      (NEAT_PUCK_IMAGE_SHADOW, shadowImage), (NEAT_PUCK_IMAGE_BEARING, bearingImage),
      (NEAT_PUCK_IMAGE_TOP, topImage),
    ]
  }
}
