import CNeatline
import NeatBase
import NeatJSON
import NeatStyle

@c @implementation
public func neat_style_validate(_ json: UnsafePointer<CChar>!, _ size: Int, _ out_json: OutHandle!)
  -> neat_status
{
  produce(out_json) { () throws(NeatError) in
    let source = try bytes(json, size, "json")
    _ = try JSON.parse(source)
    var writer = JSONWriter()
    writer.beginArray()
    for message in validateStyle(source) {
      writer.beginObject()
      writer.key("message")
      writer.string(message.message)
      if let line = message.line {
        writer.key("line")
        writer.int(line)
      }
      if message.severity == .warning {
        writer.key("severity")
        writer.string(message.severity.rawValue)
      }
      if let identifier = message.identifier {
        writer.key("identifier")
        writer.string(identifier)
      }
      writer.key("key")
      writer.string(message.key)
      writer.endObject()
    }
    writer.endArray()
    return Buffer(writer.bytes)
  }
}

@c @implementation
public func neat_style_migrate(_ json: UnsafePointer<CChar>!, _ size: Int, _ out_json: OutHandle!)
  -> neat_status
{
  produce(out_json) { () throws(NeatError) in
    Buffer(try StyleMigration.migrate(try JSON.parse(try bytes(json, size, "json"))))
  }
}

/// The ids of layers in a JSON array; nil for all.
func layerIDs(_ pointer: UnsafePointer<CChar>?, _ size: Int) throws(NeatError) -> Set<String>? {
  let source = try bytes(pointer, size, "layers")
  let json = source.isEmpty ? JSON.null : try JSON.parse(source)
  guard !json.isNull else { return nil }
  let ids = json.elements.compactMap(\.string)
  guard json.isArray, ids.count == json.count else {
    throw NeatError(.invalidArgument, "layers must be an array of ids")
  }
  return Set(ids)
}

@c @implementation
public func neat_style_localize_labels(
  _ json: UnsafePointer<CChar>!, _ size: Int, _ language: UnsafePointer<CChar>!, _ language_size: Int,
  _ layers: UnsafePointer<CChar>!, _ layers_size: Int, _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let localizer = try LabelLocalizer(identifier: try text(language, language_size, "language"))
    let style = try JSON.parse(try bytes(json, size, "json"))
    return Buffer(try localizer.localized(style: style, layers: try layerIDs(layers, layers_size)))
  }
}

@c @implementation
public func neat_style_diff(
  _ from: UnsafePointer<CChar>!, _ from_size: Int, _ to: UnsafePointer<CChar>!, _ to_size: Int,
  _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let (old, new) = (
      try Style(parsing: try bytes(from, from_size, "from")), try Style(parsing: try bytes(to, to_size, "to"))
    )
    return Buffer(Array(JSON.array(Style.diff(from: old, to: new).map(\.json)).text.utf8))
  }
}
