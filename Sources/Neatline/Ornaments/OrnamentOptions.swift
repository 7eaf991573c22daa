/// A corner of the map. Leading is left, and trailing right.
public enum OrnamentPosition: String, Hashable, Sendable, CaseIterable {
  case topLeft, topRight, bottomRight, bottomLeft
  case topLeading, topTrailing, bottomLeading, bottomTrailing
}

/// Whether an ornament is seen.
public enum OrnamentVisibility: String, Hashable, Sendable, CaseIterable {
  /// Where it says something: a compass where the map is turned, a scale bar where the map shows no more than
  /// its longest row in half of its width, others always.
  case adaptive
  /// Never.
  case hidden
  /// Always.
  case visible
}

/// What a map says about itself in its corners, with the names, positions and margins of version 10 of the
/// mobile SDKs.
///
/// Of several in a corner the attribution has it, then logo, scale bar and compass; whatever would lie over
/// another moves past it, away from the top or the bottom, and is not there where no room is left for it.
public struct OrnamentOptions: Hashable, Sendable {
  /// How long a part of the map is.
  public var scaleBar: ScaleBarViewOptions
  /// Where north is.
  public var compass: CompassViewOptions
  /// A picture of the host's.
  public var logo: LogoViewOptions
  /// Whom the data is owed to.
  public var attributionButton: AttributionButtonOptions

  /// All of them, as version 10 has them; a logo is seen once it has an image.
  public init(
    scaleBar: ScaleBarViewOptions = ScaleBarViewOptions(), compass: CompassViewOptions = CompassViewOptions(),
    logo: LogoViewOptions = LogoViewOptions(),
    attributionButton: AttributionButtonOptions = AttributionButtonOptions()
  ) {
    (self.scaleBar, self.compass) = (scaleBar, compass)
    (self.logo, self.attributionButton) = (logo, attributionButton)
  }

  /// None of them: what a map has before it is said.
  public static var hidden: OrnamentOptions {
    OrnamentOptions(
      scaleBar: ScaleBarViewOptions(visibility: .hidden), compass: CompassViewOptions(visibility: .hidden),
      logo: LogoViewOptions(visibility: .hidden),
      attributionButton: AttributionButtonOptions(visibility: .hidden))
  }
}

/// A scale bar: at most half as wide as the map, for the latitude of its centre.
public struct ScaleBarViewOptions: Hashable, Sendable {
  /// Its corner.
  public var position: OrnamentPosition
  /// Logical pixels from the map's edges, 0 to 4096.
  public var margins: ScreenPoint
  /// Whether it is seen.
  public var visibility: OrnamentVisibility
  /// What it counts. `none`: it is not there.
  public var units: ScaleBar

  /// Whether it counts metres and kilometres; else feet and miles.
  public var useMetricUnits: Bool {
    get { units == .metric }
    set { units = newValue ? .metric : .imperial }
  }

  /// A scale bar at the top left.
  public init(
    position: OrnamentPosition = .topLeading, margins: ScreenPoint = ScreenPoint(8, 8),
    visibility: OrnamentVisibility = .adaptive, useMetricUnits: Bool = true
  ) {
    (self.position, self.margins, self.visibility) = (position, margins, visibility)
    units = useMetricUnits ? .metric : .imperial
  }
}

/// A compass, which a tap turns to the north.
public struct CompassViewOptions: Hashable, Sendable {
  /// Its corner.
  public var position: OrnamentPosition
  /// Logical pixels from the map's edges, 0 to 4096.
  public var margins: ScreenPoint
  /// Whether it is seen; `adaptive`: where the map is turned, coming and going within 300 milliseconds.
  public var visibility: OrnamentVisibility
  /// In the place of the engine's own, its top to the north. At most 2048 pixels an edge.
  public var image: Image? {
    get { picture.image }
    set { picture.image = newValue }
  }
  /// Pixels of the image that make a logical pixel, above 0 to 16.
  public var imagePixelRatio: Double {
    get { picture.pixelRatio }
    set { picture.pixelRatio = newValue }
  }
  var picture = OrnamentPicture()

  /// A compass at the top right.
  public init(
    position: OrnamentPosition = .topTrailing, margins: ScreenPoint = ScreenPoint(8, 8), image: Image? = nil,
    visibility: OrnamentVisibility = .adaptive
  ) {
    (self.position, self.margins, self.visibility) = (position, margins, visibility)
    picture.image = image
  }
}

/// Whom the data is owed to, as plain text. `Map.attributionLinks` has where its links lead.
public struct AttributionButtonOptions: Hashable, Sendable {
  /// Its corner.
  public var position: OrnamentPosition
  /// Logical pixels from the map's edges, 0 to 4096.
  public var margins: ScreenPoint
  /// Whether it is seen; `adaptive` is `visible`.
  public var visibility: OrnamentVisibility
  /// In the place of what the sources say; nil: that.
  public var text: String?
  /// Whether there is a button with an i in the place of the text, as in version 10. Where somebody taps it
  /// (`OrnamentsManager.ornament(at:)`), the host tells the text.
  public var isCompact = false

  /// An attribution at the bottom right.
  public init(
    position: OrnamentPosition = .bottomTrailing, margins: ScreenPoint = ScreenPoint(8, 8),
    visibility: OrnamentVisibility = .visible, text: String? = nil
  ) {
    (self.position, self.margins, self.visibility, self.text) = (position, margins, visibility, text)
  }
}

/// A picture of the host's.
public struct LogoViewOptions: Hashable, Sendable {
  /// Its corner.
  public var position: OrnamentPosition
  /// Logical pixels from the map's edges, 0 to 4096.
  public var margins: ScreenPoint
  /// Whether it is seen; `adaptive` is `visible`.
  public var visibility: OrnamentVisibility
  /// The picture; nil: nothing is seen. At most 2048 pixels an edge.
  public var image: Image? {
    get { picture.image }
    set { picture.image = newValue }
  }
  /// Pixels of the image that make a logical pixel, above 0 to 16.
  public var imagePixelRatio: Double {
    get { picture.pixelRatio }
    set { picture.pixelRatio = newValue }
  }
  var picture = OrnamentPicture()

  /// A logo at the bottom left.
  public init(
    position: OrnamentPosition = .bottomLeading, margins: ScreenPoint = ScreenPoint(8, 8),
    visibility: OrnamentVisibility = .visible, image: Image? = nil
  ) {
    (self.position, self.margins, self.visibility) = (position, margins, visibility)
    picture.image = image
  }
}

/// An image of an ornament: the same as another where it is the same object.
struct OrnamentPicture: Hashable, Sendable {
  var image: Image?
  var pixelRatio = 1.0

  static func == (a: OrnamentPicture, b: OrnamentPicture) -> Bool {
    a.image === b.image && a.pixelRatio == b.pixelRatio
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(image.map { ObjectIdentifier($0) })
    hasher.combine(pixelRatio)
  }
}
