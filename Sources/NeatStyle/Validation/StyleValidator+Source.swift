import NeatJSON

extension StyleValidator {
  private static let types = ["vector", "raster", "raster-dem", "geojson", "video", "image"]
  private static let customEncodingNames = ["redFactor", "greenFactor", "blueFactor", "baseShift"]

  mutating func source(_ value: JSON, _ key: String) {
    guard let type = value["type"], !type.isNull, type.string != "" else {
      return report(key, value, "\"type\" is required")
    }
    switch type.string {
    case "vector": members(value, Reference.sourceVector, key)
    case "raster": members(value, Reference.sourceRaster, key)
    case "raster-dem": elevationSource(value)
    case "geojson":
      members(value, Reference.sourceGeojson, key)
      if value["cluster"]?.bool == true, let properties = value["clusterProperties"] {
        clusterProperties(properties, key)
      }
    case "video": members(value, Reference.sourceVideo, key)
    case "image": members(value, Reference.sourceImage, key)
    case "canvas":
      report(
        key, nil, "Please use runtime APIs to add canvas sources, rather than including them in stylesheets.",
        identifier: "source.canvas")
    default: enumeration(type, Self.types, "\(key).type")
    }
  }

  /// Its messages name the member only.
  private mutating func elevationSource(_ value: JSON) {
    let encoding = value["encoding"]?.string
    object(value, "source_raster_dem") { validator, name, member in
      if encoding != "custom", Self.customEncodingNames.contains(name) {
        let found = encoding.map { "\"\($0)\"" } ?? "Default"
        validator.report(
          name, member,
          "In \"\": \"\(name)\" is only valid when \"encoding\" is set to \"custom\". \(found) encoding found"
        )
      } else if let field = Reference.sourceRasterDem.first(where: { $0.name == name }) {
        validator.value(member, field.spec, name)
      } else {
        validator.report(name, member, "unknown property \"\(name)\"")
      }
    }
  }

  /// Each is `[operator, map expression]`; the operator is a name, or an expression over `accumulated`.
  private mutating func clusterProperties(_ value: JSON, _ key: String) {
    for (name, pair) in value.members {
      let key = Self.path(key, name)
      guard let reduce = pair[0], let map = pair[1] else {
        report(key, pair, "array of operator and expression expected")
        continue
      }
      expression(map, ReferenceSpec(.any), "\(key).map", .clusterMap)
      if let reducer = reduce.string {
        let whole = JSON.array([
          .string(reducer), .array([.string("accumulated")]), .array([.string("get"), .string(name)]),
        ])
        expression(whole, ReferenceSpec(.any), "\(key).reduce", .clusterReduce)
      } else {
        expression(reduce, ReferenceSpec(.any), "\(key).reduce", .clusterReduce)
      }
    }
  }
}
