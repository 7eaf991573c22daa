import NeatBase
import NeatJSON
import NeatMap

extension Report {
  /// `{"complete", "omitted", "missing": [{"kind", "resource", "code", "message", "failure", "source",
  /// "tile": [z, x, y], "layer", "script", "sample"}]}`; members that do not apply are left out.
  var json: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("complete")
    writer.bool(isComplete)
    writer.key("omitted")
    writer.int(omitted)
    writer.key("missing")
    writer.beginArray()
    for entry in entries { entry.write(to: &writer) }
    writer.endArray()
    writer.endObject()
  }
}

extension Missing {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("kind")
    writer.string(kind.rawValue)
    writer.key("resource")
    writer.string(resource)
    writer.key("code")
    writer.int(code.rawValue)
    writer.key("message")
    writer.string(message)
    writer.key("failure")
    writer.bool(isFailure)
    if let tile {
      writer.key("tile")
      writer.beginArray()
      writer.int(tile.z)
      writer.int(tile.x)
      writer.int(tile.y)
      writer.endArray()
    }
    for (name, value) in [("source", source), ("layer", layer), ("script", script), ("sample", sample)] {
      guard let value else { continue }
      writer.key(name)
      writer.string(value)
    }
    writer.endObject()
  }
}
