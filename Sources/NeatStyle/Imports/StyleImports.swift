import NeatBase
import NeatJSON

// A style may take in others: `imports` names them, each with values for what its `schema` leaves open. What
// comes of it is one style without imports. What an import has is named `id/…` in it, its layers lie below those
// of the style that takes it in, and layers with a `slot` go where a layer of type `slot` of that name stands.
// `["config", key]` becomes the value itself. After the style specification of Mapbox, version 3.

/// A style with those that it takes in, as far as they are there. A value; it does no input or output.
package struct StyleImports: Sendable {
  /// Styles that one takes in, those that they take in included.
  package static let limit = 100
  /// Styles within styles.
  package static let depthLimit = 5
  /// Bytes of configuration values that one style's expressions take in.
  package static let configLimit = 4 << 20

  /// Layers of all styles together.
  package static let layerLimit = 40_000
  /// Bytes of an import's id: the names of all that it has begin with it.
  package static let idLimit = 256
  /// Bytes of the sources and layers of all styles together: one style may be taken in many times.
  package static let byteLimit = 256 << 20
  /// Bytes of a layer, or of what an import is given, that refers to configuration.
  package static let substitutionLimit = 1 << 20

  package let root: JSON
  /// Where relative addresses of the root start.
  package let base: String
  /// Whether a style that comes from a server may name files of this machine.
  package let allowsFiles: Bool
  var fetched: [String: Result<JSON, NeatError>] = [:]
  /// Values that the application set, by the path of an import, "" for the root.
  var values: [String: [String: JSON]] = [:]

  /// Whether a style takes in others, or leaves something open.
  package static func concerns(_ style: JSON) -> Bool {
    style["imports"].map { !$0.isNull } ?? false || style["schema"].map { !$0.isNull } ?? false
  }

  package init(_ root: JSON, base: String, allowsFiles: Bool = false) {
    (self.root, self.base, self.allowsFiles) = (root, base, allowsFiles)
  }

  /// Whether an address is of this machine.
  static func isLocal(_ url: String) -> Bool {
    guard !Address.isOfServer(url) else { return false }
    guard let scheme = Address.scheme(url) else { return true }
    return ["file", "mbtiles", "pmtiles", "asset"].contains(scheme)
  }

  /// The addresses of styles that are still to come, each once. Grows when these have come and take in others.
  package var lacking: [String] { StyleFlattener(self).run().lacking }

  /// One style of those that are there, and the addresses of those still to come.
  package func read() throws(NeatError) -> (style: Style, lacking: [String]) {
    let flat = StyleFlattener(self).run()
    return (try StyleImports.style(flat), flat.lacking)
  }

  /// Takes a style that was asked for, or why there is none.
  package mutating func take(_ url: String, _ result: Result<[UInt8], NeatError>) {
    fetched[url] = result.flatMap { bytes in
      Result { () throws(NeatError) in
        let json = try JSON.parse(bytes)
        guard json.isObject else {
          throw NeatError(.style, "a style must be an object, \(json.typeName) found", resource: url)
        }
        return json
      }
    }
  }

  /// One style of all. What is not to be had, or wrong, is among its issues.
  package func style() throws(NeatError) -> Style { try StyleImports.style(StyleFlattener(self).run()) }

  private static func style(_ flat: StyleFlattener.Result) throws(NeatError) -> Style {
    var style = try Style(json: flat.json)
    style.issues = flat.issues + style.issues
    style.slots = flat.slots
    return style
  }

  /// An import of a style, or the root itself.
  package struct Entry: Sendable {
    /// The ids that lead to it; "" for the root.
    package let path: String
    package let url: String?
    package let isThere: Bool
    /// In the schema's order.
    package let config: [(name: String, value: JSON)]
    package let schema: JSON?
  }

  /// The root, then the imports, as they are taken in.
  package var entries: [Entry] { StyleFlattener(self).run().entries }

  /// Sets a value that a schema leaves open; nil goes back to what the import says, or the schema. Throws
  /// `notFound` for an import or a value that there is not, `invalidArgument` for what the schema does not take.
  package mutating func set(_ path: String, _ name: String, _ value: JSON?) throws(NeatError) {
    guard let entry = entries.first(where: { $0.path == path }) else {
      throw NeatError(.notFound, "the style has no import \"\(path)\"", resource: path)
    }
    guard let option = entry.schema?[name], option.isObject else {
      throw NeatError(.notFound, "the schema has no \"\(name)\"", resource: path.isEmpty ? name : path)
    }
    if let value, let fault = ConfigOption(option).fault(value) {
      throw NeatError(.invalidArgument, "\(name): \(fault)", resource: path.isEmpty ? name : path)
    }
    values[path, default: [:]][name] = value
  }
}
