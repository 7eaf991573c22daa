import Glibc
import Neatline

/// Turf's fixtures of simplification: `simplify/in/X.geojson` with what it becomes in `simplify/out`.
///
/// `tolerance` and `highQuality` stand in the properties of a feature, 0.01 and false where they do not; those
/// of a collection are its own. Turf writes what comes out with six decimals, and so it is compared: every
/// number, position and ring must be the same.
enum TurfSuite {
  static func cases(_ setting: Setting) throws -> [Case] {
    Files.list(setting.directory + "/simplify/in").filter { $0.hasSuffix(".geojson") }.map { file in
      Case(name: "simplify/\(file)") {
        let given = try GeoJSON(parsing: Files.read("\(setting.directory)/simplify/in/\(file)"))
        let expected = try JSONValue(parsing: Files.read("\(setting.directory)/simplify/out/\(file)"))
        let found = try JSONValue(parsing: simplified(given).geoJSONText())
        if let difference = JSONCompare.difference(expected, rounded(found)) { throw Failure(difference) }
      }
    }
  }

  private static func simplified(_ shape: GeoJSON) -> GeoJSON {
    var properties = Attributes()
    if case .feature(let feature) = shape { properties = feature.attributes }
    let tolerance = properties["tolerance"]?.double ?? 0.01
    let isHighest = properties["highQuality"]?.bool ?? false
    switch shape {
    case .geometry(let geometry):
      return .geometry(geometry.simplified(tolerance: tolerance, highestQuality: isHighest))
    case .feature(let feature): return .feature(simplified(feature, tolerance, isHighest))
    case .featureCollection(var collection):
      collection.features = collection.features.map { simplified($0, tolerance, isHighest) }
      return .featureCollection(collection)
    }
  }

  private static func simplified(_ feature: Feature, _ tolerance: Double, _ isHighest: Bool) -> Feature {
    var feature = feature
    feature.geometry = feature.geometry.map { $0.simplified(tolerance: tolerance, highestQuality: isHighest) }
    return feature
  }

  /// Six decimals in coordinates.
  private static func rounded(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): .array(elements.map(rounded))
    case .object(let members):
      .object(
        members.map { .init($0.key, $0.key == "properties" ? $0.value : rounded($0.value)) })
    case .number(let number): .number((number * 1e6).rounded() / 1e6)
    default: value
    }
  }
}
