import Foundation
import Neatline

extension URL {
  /// As the engine reads addresses: the path of a file URL, percent escapes resolved; else the absolute text.
  var engineAddress: String { isFileURL ? path(percentEncoded: false) : absoluteString }
}

extension Renderer {
  /// Loads a style from a file or server.
  public convenience init(styleURL: URL, options: Options = Options()) throws(NeatlineError) {
    try self.init(styleURL: styleURL.engineAddress, options: options)
  }

  /// A renderer from style JSON; relative addresses in it start at `baseURL`.
  public convenience init(json: Data, baseURL: URL, options: Options = Options()) throws(NeatlineError) {
    try self.init(
      json: String(decoding: json, as: UTF8.self), baseURL: baseURL.engineAddress, options: options)
  }
}

extension Map {
  /// Starts to load a style; events tell how it goes.
  public func loadStyle(_ url: URL) throws(NeatlineError) { try loadStyle(url.engineAddress) }

  /// Sets the style; relative addresses in it start at `baseURL`.
  public func setStyle(_ style: StyleDocument, baseURL: URL) throws(NeatlineError) {
    try setStyle(style, baseURL: baseURL.engineAddress)
  }
}

extension MapStyle {
  /// Where the style was loaded from, as a URL: a file's for a path.
  public var url: URL? {
    uri.flatMap { $0.rawValue.hasPrefix("/") ? URL(filePath: $0.rawValue) : URL(string: $0.rawValue) }
  }

  /// Starts to load a style from its address; events tell how it goes.
  public func load(url: URL) throws(NeatlineError) { try load(uri: url.engineAddress) }
}

extension Archive {
  /// Opens an archive in a file, or a PMTiles archive on a server.
  public convenience init(url: URL) throws(NeatlineError) { try self.init(path: url.engineAddress) }
}

extension GeoJSONSourceData {
  /// The GeoJSON at an address.
  public static func url(_ url: URL) -> GeoJSONSourceData { .url(url.engineAddress) }
}

extension Options {
  /// Font files (TTF, OTF) for text without a glyph server.
  public var fontURLs: [URL] {
    get { fontPaths.map { URL(filePath: $0) } }
    set { fontPaths = newValue.map(\.engineAddress) }
  }
}

extension Image {
  /// Reads PNG, JPEG or WebP, told apart by content; at most 16384 pixels per edge.
  public convenience init(decoding data: Data) throws(NeatlineError) {
    try self.init(decoding: [UInt8](data))
  }

  /// The picture as a PNG file.
  public func pngData(_ mode: PNGMode = .fast) throws(NeatlineError) -> Data { Data(try png(mode)) }
}

extension Tile {
  /// Decodes a tile, compressed by gzip or zlib or not.
  public convenience init(decoding data: Data, format: Format = .auto, isStrict: Bool = false)
    throws(NeatlineError)
  {
    try self.init(decoding: [UInt8](data), format: format, isStrict: isStrict)
  }
}
