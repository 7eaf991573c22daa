import NeatBase
import NeatJSON
import NeatTile

/// What is known of a layer's features: what TileJSON says of it.
struct LayerSummary: Sendable {
  /// What kinds of values a field has.
  struct Kinds: OptionSet, Sendable {
    let rawValue: UInt8

    static let boolean = Kinds(rawValue: 1)
    static let number = Kinds(rawValue: 2)
    static let string = Kinds(rawValue: 4)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ kind: TileValueKind) {
      self =
        switch kind {
        case .null: []
        case .bool: .boolean
        case .int, .uint, .double: .number
        case .string, .json: .string
        }
    }

    /// As the vector_layers of TileJSON say it.
    var name: String? {
      switch self {
      case []: nil
      case .boolean: "Boolean"
      case .number: "Number"
      case .string: "String"
      default: "Mixed"
      }
    }
  }

  var name: String
  var features = 0
  var fields: [String: Kinds] = [:]
  /// Degrees, not wrapped; nil where there are no points.
  var box: (west: Double, south: Double, east: Double, north: Double)?

  init(name: String) { self.name = name }

  /// Takes a batch in. `shows`: a bit for each zoom that a feature is on; nil: all are on all.
  mutating func add(_ data: GeoJSONData, _ attributes: AttributeChoice, shows: [UInt32]?) {
    var kinds = [Kinds](repeating: [], count: data.keys.count)
    for feature in 0..<data.featureCount where shows.map({ $0[feature] != 0 }) ?? true {
      features += 1
      for tag in Int(data.tagStarts[feature])..<Int(data.tagStarts[feature + 1]) {
        kinds[Int(data.tagKeys[tag])].formUnion(Kinds(data.tagValues[tag].kind))
      }
      if let bounds = data.bounds(of: feature) { add(bounds) }
    }
    for (key, kinds) in zip(data.keys, kinds) where attributes.takes(key) && !kinds.isEmpty {
      fields[key, default: []].formUnion(kinds)
    }
  }

  mutating func add(_ other: (west: Double, south: Double, east: Double, north: Double)) {
    box =
      box.map {
        (
          min($0.west, other.west), min($0.south, other.south), max($0.east, other.east),
          max($0.north, other.north)
        )
      } ?? other
  }

  /// The box within -180 to 180 degrees, west above east where it crosses the 180th meridian, and within the
  /// latitudes that tiles have.
  var wrapped: (west: Double, south: Double, east: Double, north: Double)? {
    guard let box else { return nil }
    func latitude(_ degrees: Double) -> Double {
      max(-Mercator.maxLatitude, min(Mercator.maxLatitude, degrees))
    }
    let (south, north) = (latitude(box.south), latitude(box.north))
    if box.west >= -180, box.east <= 180 { return (box.west, south, box.east, north) }
    guard box.east - box.west < 360 else { return (-180, south, 180, north) }
    func longitude(_ degrees: Double) -> Double {
      degrees - 360 * ((degrees + 180) / 360).rounded(.down)
    }
    return (longitude(box.west), south, longitude(box.east), north)
  }

  /// Takes in what another run says of the same layer.
  mutating func add(_ other: LayerSummary) {
    features += other.features
    fields.merge(other.fields) { $0.union($1) }
    if let box = other.box { add(box) }
  }

  // MARK: Text

  func write(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("name")
    writer.string(name)
    writer.key("features")
    writer.int(features)
    writer.key("fields")
    writer.beginObject()
    for (name, kinds) in fields.sorted(by: { $0.key < $1.key }) {
      writer.key(name)
      writer.int(UInt64(kinds.rawValue))
    }
    writer.endObject()
    if let box {
      writer.key("box")
      writer.beginArray()
      for degrees in [box.west, box.south, box.east, box.north] { writer.number(degrees) }
      writer.endArray()
    }
    writer.endObject()
  }

  /// nil for what `write` did not write.
  init?(_ json: JSON) {
    guard let name = json["name"]?.string,
      let features = json["features"]?.number.flatMap(Int.init(exactly:)),
      features >= 0
    else { return nil }
    self.name = name
    self.features = features
    if let list = json["fields"] {
      for member in list.members {
        guard let bits = member.value.number.flatMap(UInt8.init(exactly:)), bits < 8 else { return nil }
        fields[member.key] = Kinds(rawValue: bits)
      }
    }
    if let box = json["box"] {
      let degrees = box.elements.compactMap(\.number)
      guard degrees.count == 4 else { return nil }
      self.box = (degrees[0], degrees[1], degrees[2], degrees[3])
    }
  }
}
