// MapLibre Tile 1 (maplibre.org/maplibre-tile-spec/specification/v1): a tile is a row of frames, each a
// length, a tag and a body. Tag 1 is a layer in columns; frames with other tags are passed over, as the
// specification asks. Tag 2 is what the converter of maplibre-tile-spec gives a layer with nested properties,
// which is otherwise laid out as with tag 1. The experimental MLT 2 has the same tag and no promise to stay
// as it is: its layers are passed over.
import NeatBase

/// Reads a MapLibre Tile, plain or packed by gzip or zlib.
///
/// Throws `tile` with the byte offset (in the unpacked bytes) and the layer at fault, or `limitExceeded`
/// beyond `MLTLimits`.
///
/// - Parameter memory: as in `MVTOptions`.
package func decodeMLT(_ bytes: [UInt8], memory: MemoryBudget? = nil) throws(NeatError) -> VectorTile {
  let plain = try Inflate.decompress(bytes, limit: MLTLimits.maxBytes, memory: memory)
  if plain.isEmpty { return VectorTile(layers: []) }
  let words = "a vector tile of \(plain.count) bytes"
  let hold = try memory?.take(16 * plain.count, for: words)
  defer { withExtendedLifetime(hold) {} }
  try ProcessMemory.require(16 * plain.count, for: words)
  return try plain.withUnsafeBufferPointer { (source) throws(NeatError) in
    var reader = MLTReader(source)
    var layers: [TileLayer] = []
    while !reader.isAtEnd {
      let size = try reader.count()
      guard size >= 1 else { throw reader.fail("a frame without a tag") }
      var frame = try reader.part(size)
      let tag = try frame.byte()
      guard tag == 1 || tag == 2 && MLTLayerReader.hasNestedColumns(frame) else { continue }
      guard layers.count < VectorTile.maxLayers else { throw VectorTile.tooManyLayers }
      var layer = MLTLayerReader()
      layers.append(try layer.read(&frame))
      reader.settle(frame)
    }
    return VectorTile(layers: layers)
  }
}
