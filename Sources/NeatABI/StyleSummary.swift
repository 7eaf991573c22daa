import NeatBase
import NeatCamera
import NeatJSON
import NeatMap
import NeatStyle

/// A style in short: what `neat_renderer_info` and `neat_map_info` answer.
enum StyleSummary {
  /// `loading`: of a map, where its style came from and whether all of it is there.
  static func json(
    _ style: Style, camera: Camera, attributions: [String], loading: (url: String?, isLoaded: Bool)? = nil
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    if let loading {
      writer.key("url")
      if let url = loading.url { writer.string(url) } else { writer.null() }
      writer.key("isLoaded")
      writer.bool(loading.isLoaded)
    }
    writer.key("name")
    writer.string(style.name ?? "")
    writer.key("center")
    writer.beginArray()
    writer.number(camera.center.lon)
    writer.number(camera.center.lat)
    writer.endArray()
    for (key, value) in [
      ("zoom", camera.zoom), ("bearing", camera.bearing), ("pitch", camera.pitch), ("roll", camera.roll),
    ] {
      writer.key(key)
      writer.number(value)
    }
    writer.key("attribution")
    write(attributions, &writer)
    writer.key("layers")
    writer.beginArray()
    for layer in style.layers { write(layer, &writer) }
    writer.endArray()
    writer.key("sources")
    writer.beginArray()
    for source in style.sources {
      writer.beginObject()
      writer.key("id")
      writer.string(source.id)
      writer.key("type")
      writer.string(source.typeName)
      if let text = source.tiled?.attribution ?? source.geojson?.attribution {
        writer.key("attribution")
        writer.string(text)
      }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  static func json(_ attributions: [String]) -> [UInt8] {
    var writer = JSONWriter()
    write(attributions, &writer)
    return writer.bytes
  }

  static func json(_ links: [AttributionLink]) -> [UInt8] {
    let all = links.map { link -> JSON in
      .object([("text", .string(link.text))] + (link.href.map { [("href", .string($0))] } ?? []))
    }
    return Array(JSON.array(all).text.utf8)
  }

  private static func write(_ texts: [String], _ writer: inout JSONWriter) {
    writer.beginArray()
    for text in texts { writer.string(text) }
    writer.endArray()
  }

  private static func write(_ layer: StyleLayer, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("id")
    writer.string(layer.id)
    writer.key("type")
    writer.string(layer.type.name)
    if let source = layer.source {
      writer.key("source")
      writer.string(source)
    }
    if let name = layer.sourceLayer {
      writer.key("sourceLayer")
      writer.string(name)
    }
    writer.key("minzoom")
    writer.number(layer.minZoom)
    if layer.maxZoom < .infinity {
      writer.key("maxzoom")
      writer.number(layer.maxZoom)
    }
    writer.endObject()
  }
}
