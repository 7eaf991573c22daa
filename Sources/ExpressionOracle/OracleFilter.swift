import Neatline

/// Filters in the legacy form: they test a property against values, and have no types.
enum OracleFilter {
  static func isExpression(_ json: JSONValue) -> Bool {
    if json.bool != nil { return true }
    guard let items = json.array, let name = items.first?.string else { return false }
    switch name {
    case "has": return items.count >= 2 && items[1] != "$id" && items[1] != "$type"
    case "in": return items.count >= 3 && (items[1].string == nil || items[2].array != nil)
    case "!in", "!has", "none": return false
    case "==", "!=", "<", ">", "<=", ">=":
      return items.count != 3 || items[1].array != nil || items[2].array != nil
    case "all", "any": return items.dropFirst().allSatisfy { $0.bool != nil || isExpression($0) }
    default: return true
    }
  }

  static func read(_ json: JSONValue) throws -> OracleNode {
    let test = try test(json)
    return OracleNode(.boolean) { .bool(test($0)) }
  }

  private typealias Test = (OracleContext) -> Bool

  private static func test(_ json: JSONValue) throws -> Test {
    if json.isNull { return { _ in true } }
    guard let items = json.array, let name = items.first?.string else {
      throw OracleError(message: "no filter")
    }
    let rest = Array(items.dropFirst())
    switch name {
    case "all":
      let tests = try rest.map(test)
      return { context in tests.allSatisfy { $0(context) } }
    case "any":
      let tests = try rest.map(test)
      return { context in tests.contains { $0(context) } }
    case "none":
      let tests = try rest.map(test)
      return { context in !tests.contains { $0(context) } }
    default: break
    }
    guard let key = rest.first?.string else { throw OracleError(message: "a filter without key") }
    let values = rest.dropFirst().map { OracleValue($0) }
    let read = reader(key)
    switch name {
    case "has": return { read($0) != nil }
    case "!has": return { read($0) == nil }
    case "in":
      return { context in read(context).map { value in values.contains { $0.isSame(value) } } ?? false }
    case "!in":
      return { context in !(read(context).map { value in values.contains { $0.isSame(value) } } ?? false) }
    case "==": return { read($0)?.isSame(values[0]) ?? false }
    case "!=": return { !(read($0)?.isSame(values[0]) ?? false) }
    case "<", ">", "<=", ">=":
      return { context in read(context).flatMap { try? OracleOperators.compare(name, $0, values[0]) } ?? false
      }
    default: throw OracleError(message: "unknown filter \(name)", isUnsupported: true)
    }
  }

  private static func reader(_ key: String) -> (OracleContext) -> OracleValue? {
    switch key {
    case "$type": return { .string($0.feature.geometryType) }
    case "$id": return { $0.feature.id == .null ? nil : $0.feature.id }
    default: return { $0.feature.properties[key] }
    }
  }
}
