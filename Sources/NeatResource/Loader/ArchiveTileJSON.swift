import NeatBase
import NeatJSON
import NeatStore
import NeatTile

/// TileJSON of a PMTiles archive, from its header and its metadata. `tiles` holds the archive's own address:
/// requests name the tile beside it.
func archiveTileJSON(_ header: PMTilesHeader, metadata: [UInt8], url: String) throws(NeatError) -> [UInt8] {
  let metadata = metadata.isEmpty ? nil : try? JSON.parse(metadata)
  var writer = JSONWriter()
  writer.beginObject()
  writeHead(&writer, url)
  for key in ["name", "description", "attribution", "version"] {
    if let text = metadata?[key]?.string { write(&writer, key, text) }
  }
  writer.key("minzoom")
  writer.int(header.minZoom)
  writer.key("maxzoom")
  writer.int(header.maxZoom)
  let (west, south, east, north) = header.bounds
  // An archive without bounds has zeros there; a source with such bounds would have no tile.
  if west < east && south < north { write(&writer, "bounds", [west, south, east, north]) }
  write(&writer, "center", [header.center.lon, header.center.lat, Double(header.centerZoom)])
  write(&writer, "format", header.tileType.format)
  if header.tileType == .mlt {
    write(&writer, "encoding", "mlt")
  } else if let encoding = metadata?["encoding"]?.string {
    write(&writer, "encoding", encoding)
  }
  // Archives made from MBTiles may keep their layers as text, as MBTiles does.
  let nested = metadata?["json"]?.string.flatMap { try? JSON.parse($0) }
  if let layers = metadata?["vector_layers"] ?? nested?["vector_layers"], layers.kind == .array {
    writer.key("vector_layers")
    writer.value(layers)
  }
  writeHeader(&writer, header)
  writer.endObject()
  return writer.bytes
}

/// TileJSON of an MBTiles file, from its metadata.
func archiveTileJSON(_ archive: MBTiles, url: String) -> [UInt8] {
  let metadata = archive.metadata
  var writer = JSONWriter()
  writer.beginObject()
  writeHead(&writer, url)
  for key in ["name", "description", "attribution", "version"] {
    if let text = metadata[key] { write(&writer, key, text) }
  }
  for key in ["minzoom", "maxzoom"] {
    if let zoom = metadata[key].flatMap(number), zoom >= 0, zoom <= Double(TileID.maxZoom) {
      writer.key(key)
      writer.number(zoom.rounded(.down))
    }
  }
  if let box = metadata["bounds"].flatMap(numbers), box.count == 4, box[0] < box[2], box[1] < box[3] {
    write(&writer, "bounds", box)
  }
  if let center = metadata["center"].flatMap(numbers), center.count >= 2 { write(&writer, "center", center) }
  let format = metadata["format"] ?? ""
  if !format.isEmpty { write(&writer, "format", format) }
  if format == "mlt" || format == "application/vnd.maplibre-vector-tile" {
    write(&writer, "encoding", "mlt")
  } else if let encoding = metadata["encoding"] {
    write(&writer, "encoding", encoding)
  }
  if let text = metadata["json"], let layers = (try? JSON.parse(text))?["vector_layers"],
    layers.kind == .array
  {
    writer.key("vector_layers")
    writer.value(layers)
  }
  writer.key("header")
  writer.beginObject()
  write(&writer, "archive", "mbtiles")
  for (key, value) in metadata.sorted(by: { $0.key < $1.key }) where key != "json" && key != "archive" {
    write(&writer, key, value)
  }
  writer.endObject()
  writer.endObject()
  return writer.bytes
}

/// What only the archive knows: how it is packed, and how much it holds.
private func writeHeader(_ writer: inout JSONWriter, _ header: PMTilesHeader) {
  writer.key("header")
  writer.beginObject()
  write(&writer, "archive", "pmtiles")
  writer.key("version")
  writer.int(3)
  write(&writer, "tileType", "\(header.tileType)")
  write(&writer, "tileCompression", "\(header.tileCompression)")
  write(&writer, "internalCompression", "\(header.internalCompression)")
  writer.key("clustered")
  writer.bool(header.isClustered)
  for (key, value) in [
    ("addressedTiles", header.addressedTiles), ("tileEntries", header.tileEntries),
    ("tileContents", header.tileContents),
    ("rootBytes", header.rootLength), ("leafBytes", header.leavesLength),
    ("metadataBytes", header.metadataLength),
    ("tileBytes", header.tilesLength),
  ] {
    writer.key(key)
    writer.int(value)
  }
  writer.endObject()
}

private func writeHead(_ writer: inout JSONWriter, _ url: String) {
  write(&writer, "tilejson", "3.0.0")
  writer.key("tiles")
  writer.beginArray()
  writer.string(url)
  writer.endArray()
  write(&writer, "scheme", "xyz")
}

private func write(_ writer: inout JSONWriter, _ key: String, _ text: String) {
  writer.key(key)
  writer.string(text)
}

private func write(_ writer: inout JSONWriter, _ key: String, _ numbers: [Double]) {
  writer.key(key)
  writer.beginArray()
  for number in numbers { writer.number(number) }
  writer.endArray()
}

private func number(_ text: some StringProtocol) -> Double? {
  let digits = String(text.filter { !$0.isWhitespace })
  guard let value = Double(digits), value.isFinite else { return nil }
  return value
}

private func numbers(_ text: String) -> [Double]? {
  var result: [Double] = []
  for part in text.split(separator: ",") {
    guard let value = number(part) else { return nil }
    result.append(value)
  }
  return result
}
