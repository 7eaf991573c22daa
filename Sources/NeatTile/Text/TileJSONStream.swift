import NeatBase
import NeatJSON

// A tile as GeoJSON text, in pieces. Nothing is held but the tile and one piece: the text itself may be
// millions of times as long as the tile, for features share the keys and values of their layer. The writer
// stops after a property or some points, wherever a piece is full, and goes on from there.

/// The GeoJSON text of a tile, piece by piece.
package struct TileJSONStream {
  /// How the layers of a tile stand in its text.
  package enum Form: Sendable {
    /// An object of feature collections by layer name.
    case layers
    /// One feature collection; each feature has the name of its layer as its property `layer`.
    case collection
  }

  /// Bytes from which on a piece is handed out. It is longer by one value at most.
  package static let pieceBytes = 64 << 10
  /// Points that are written between two looks at the length of the piece.
  private static let pointsAtOnce = 512

  private enum Place {
    case begin, layer, feature, end, ended
    /// The tag that comes next.
    case tags(Int)
    case geometry(TileGeometryText)
  }

  private let layers: [TileLayer]
  private let id: TileID?
  private let form: Form
  private let limit: Int
  private let pieceBytes: Int
  private var writer = JSONWriter()
  private var place = Place.begin
  private var layer = 0
  private var feature = 0
  /// Bytes of the pieces that were handed out.
  private var written = 0

  /// Throws `limitExceeded` where the values alone make more than `limit` bytes.
  /// - Parameters:
  ///   - id: the tile's place, for coordinates in degrees; nil: coordinates are in tile units.
  ///   - limit: the bytes of the whole text.
  package init(
    _ tile: VectorTile, _ id: TileID?, _ form: Form, limit: Int = .max,
    pieceBytes: Int = TileJSONStream.pieceBytes
  ) throws(NeatError) {
    layers = tile.layers
    self.id = id
    self.form = form
    self.limit = limit
    self.pieceBytes = pieceBytes
    if limit < .max, TileJSONStream.exceeds(layers, limit) { throw pastLimit }
  }

  private var pastLimit: NeatError {
    NeatError(.limitExceeded, "the tile has more than \(limit) bytes of GeoJSON")
  }

  /// The next piece; nil at the end. Throws `limitExceeded` where the text is past its limit.
  package mutating func next() throws(NeatError) -> [UInt8]? {
    // A text that was past its limit still is.
    if writer.bytes.count > limit - written { throw pastLimit }
    while writer.bytes.count < pieceBytes {
      if case .ended = place { break }
      step()
      // A text that is wanted whole stops at its limit too.
      if writer.bytes.count > limit - written { throw pastLimit }
    }
    guard !writer.bytes.isEmpty else { return nil }
    written += writer.bytes.count
    return writer.take()
  }

  private mutating func step() {
    switch place {
    case .begin:
      writer.beginObject()
      if form == .collection { beginCollection() }
      place = .layer
    case .layer: stepLayer()
    case .feature: stepFeature()
    case .tags(let next): stepTag(next)
    case .geometry(var geometry):
      let isWhole = geometry.write(TileJSONStream.pointsAtOnce, to: &writer)
      place = .geometry(geometry)
      guard isWhole else { return }
      writer.endObject()
      feature += 1
      place = .feature
    case .end:
      if form == .collection { writer.endArray() }
      writer.endObject()
      place = .ended
    case .ended: assertionFailure("a text that is at its end has no step")
    }
  }

  private mutating func beginCollection() {
    writer.key("type")
    writer.string("FeatureCollection")
    if form == .layers {
      writer.key("version")
      writer.int(layers[layer].version)
      writer.key("extent")
      writer.int(layers[layer].extent)
    }
    writer.key("features")
    writer.beginArray()
  }

  private mutating func stepLayer() {
    guard layer < layers.count else {
      place = .end
      return
    }
    if form == .layers {
      writer.key(layers[layer].name)
      writer.beginObject()
      beginCollection()
    }
    feature = 0
    place = .feature
  }

  private mutating func stepFeature() {
    let source = layers[layer]
    guard feature < source.featureCount else {
      if form == .layers {
        writer.endArray()
        writer.endObject()
      }
      layer += 1
      place = .layer
      return
    }
    writer.beginObject()
    writer.key("type")
    writer.string("Feature")
    if let number = source.id(feature) {
      writer.key("id")
      writer.int(number)
    }
    writer.key("properties")
    writer.beginObject()
    place = .tags(Int(source.tagStarts[feature]))
  }

  private mutating func stepTag(_ next: Int) {
    let source = layers[layer]
    guard next < Int(source.tagStarts[feature + 1]) else {
      if form == .collection {
        writer.key("layer")
        writer.string(source.name)
      }
      writer.endObject()
      writer.key("geometry")
      place = .geometry(TileGeometryText(feature, of: source, id))
      return
    }
    let key = source.keys[Int(source.tags[next].x)]
    place = .tags(next + 1)
    if form == .collection, key == "layer" { return }
    writer.key(key)
    TileJSONText.write(source.values[Int(source.tags[next].y)], &writer)
  }

  /// Whether keys and strings alone are more text than `limit`: a lower bound, in the time that it takes to
  /// look at each tag once.
  private static func exceeds(_ layers: [TileLayer], _ limit: Int) -> Bool {
    var least = 0
    for layer in layers {
      let keys = layer.keys.map { $0.utf8.count + 4 }
      let first = layer.featureCount == 0 ? 0 : Int(layer.tagStarts[0])
      let end = layer.featureCount == 0 ? 0 : Int(layer.tagStarts[layer.featureCount])
      for tag in first..<end {
        let value = layer.values[Int(layer.tags[tag].y)]
        least += keys[Int(layer.tags[tag].x)]
        if value.kind == .string || value.kind == .json { least += Int(value.length) }
        if least > limit { return true }
      }
    }
    return false
  }
}
