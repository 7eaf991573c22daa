import CNeatline

/// What one picture, frame or query lacks; `docs/reports.md` explains what is reported and what each kind
/// means.
public struct PictureReport: Sendable, Hashable {
  /// Each thing once, at most 1000.
  public var missing: [Missing] = []
  /// How many there are beyond `missing`.
  public var omitted = 0
  /// Whether nothing failed: what is missing is what the data and the style do not have, what cannot be read within
  /// a tile, or what is not supported.
  public var isComplete = true

  /// A report of nothing missing.
  public init() {}

  /// One thing that is missing.
  public struct Missing: Sendable, Hashable, CustomStringConvertible {
    /// What kind of thing is missing; `docs/reports.md` explains each.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// A sprite's index or sheet.
      case sprite
      /// A source's TileJSON, GeoJSON or picture.
      case source
      /// A tile.
      case tile
      /// A layer of tiles that none of the view's tiles has.
      case sourceLayer = "source-layer"
      /// A range of 256 glyphs of a glyph server.
      case glyphs
      /// Characters that neither the glyph server nor a font has.
      case characters
      /// An image that a layer names.
      case image
      /// A layer, property or root member of the style that is not drawn, or that is faulty.
      case style
      /// An archive that was replaced while it was open.
      case archive
      /// One of a later version of the library.
      case other
    }

    /// What kind of thing it is.
    public var kind: Kind
    /// An address, a name, a property.
    public var resource: String
    /// Why it is missing.
    public var message: String
    /// The kind of failure.
    public var status: NeatlineError.Status
    /// Whether something failed; false for what the data does not have, for what cannot be read within a tile, and
    /// for what is not supported.
    public var isFailure: Bool
    /// The source's id, where it belongs to one.
    public var source: String?
    /// The tile, where it belongs to one.
    public var tile: (z: Int, x: Int, y: Int)? { tileNumbers.map { ($0.x, $0.y, $0.z) } }
    /// The layer's id, where it belongs to one.
    public var layer: String?
    /// Of characters: their script by ISO 15924 (`Arab`), and some of them.
    public var script: String?
    /// Some of the characters that no font has.
    public var sample: String?
    private var tileNumbers: SIMD3<Int>?

    /// Kind, resource and message in a line.
    public var description: String {
      var text = resource
      if let tile { text += " \(tile.z)/\(tile.x)/\(tile.y)" }
      if let layer { text += " (layer \(layer))" }
      text += ": \(message)"
      if let sample, !sample.isEmpty { text += " (\(sample))" }
      return text
    }

    init(_ json: JSONValue) {
      kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)) ?? .other
      resource = json["resource"]?.string ?? ""
      message = json["message"]?.string ?? ""
      status =
        json["code"]?.number.flatMap(UInt32.init(exactly:)).flatMap(NeatlineError.Status.init(rawValue:))
        ?? .unknown
      isFailure = json["failure"]?.bool ?? false
      source = json["source"]?.string
      layer = json["layer"]?.string
      script = json["script"]?.string
      sample = json["sample"]?.string
      if let numbers = json["tile"]?.array?.compactMap({ $0.number.map { Int($0) } }), numbers.count == 3 {
        tileNumbers = SIMD3(numbers[0], numbers[1], numbers[2])
      }
    }
  }

  init(_ json: JSONValue) {
    missing = (json["missing"]?.array ?? []).map(Missing.init)
    omitted = json["omitted"]?.number.map { Int($0) } ?? 0
    isComplete = json["complete"]?.bool ?? true
  }
}

extension Image {
  /// What the picture lacks. Empty for pictures that were not drawn.
  public var report: PictureReport {
    guard neat_image_missing_count(pointer) > 0 else { return PictureReport() }
    // The library writes the report: it is JSON.
    return (try? jsonValue { neat_image_report(pointer, $0) }).map(PictureReport.init) ?? PictureReport()
  }

  /// Whether nothing that the picture needed failed.
  public var isComplete: Bool { neat_image_is_complete(pointer) != 0 }
}

extension Frame {
  /// What the frame lacks.
  public var report: PictureReport {
    guard neat_frame_missing_count(pointer) > 0 else { return PictureReport() }
    return (try? jsonValue { neat_frame_report(pointer, $0) }).map(PictureReport.init) ?? PictureReport()
  }
}
