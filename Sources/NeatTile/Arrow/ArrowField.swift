import NeatBase

/// A column's type, out of an `ArrowSchema`; holds no pointer into it.
struct ArrowField: Sendable {
  var name = ""
  var format = ArrowFormat.null
  /// How far the times of a timestamp are from UTC, in minutes; nil for times without a zone.
  var zoneMinutes: Int?
  /// `ARROW:extension:name` and `ARROW:extension:metadata`; "" where there is none.
  var extensionName = ""
  var extensionMetadata = ""
  var children: [ArrowField] = []
  /// The type of the values where the column holds indices into a dictionary; at most one.
  var dictionary: [ArrowField] = []

  /// Reads a schema and its children. `path` names the column in messages.
  init(_ schema: UnsafePointer<ArrowSchemaC>?, path: String, depth: Int = 0) throws(NeatError) {
    guard let schema = schema?.pointee else { throw ArrowField.wrong(path, "the schema is NULL") }
    guard schema.release != nil else { throw ArrowField.wrong(path, "the schema was released") }
    guard depth <= ArrowLimits.maxDepth else {
      throw NeatError(
        .limitExceeded, "Arrow schema, \(path): types nested more than \(ArrowLimits.maxDepth) deep")
    }
    guard let word = try ArrowField.text(schema.format, path) else {
      throw ArrowField.wrong(path, "the format is NULL")
    }
    guard let format = ArrowFormat(Substring(word).utf8) else {
      throw ArrowField.wrong(path, "\"\(word.prefix(40))\" is not a format")
    }
    self.format = format
    name = try ArrowField.text(schema.name, path) ?? ""
    if case .timestamp = format { zoneMinutes = ArrowField.minutes(ofZone: word.dropFirst(4)) }
    try readMetadata(schema.metadata, path)
    try readChildren(schema, path, depth)
    if let values = schema.dictionary {
      guard case .integer = format else {
        throw ArrowField.wrong(path, "indices of a dictionary are \(format.words), not integers")
      }
      dictionary = [try ArrowField(values, path: path + ", dictionary", depth: depth + 1)]
    }
  }

  private mutating func readChildren(_ schema: ArrowSchemaC, _ path: String, _ depth: Int) throws(NeatError) {
    guard schema.childCount >= 0, schema.childCount <= ArrowLimits.maxFields else {
      throw ArrowField.wrong(path, "\(schema.childCount) children")
    }
    let count = Int(schema.childCount)
    if let wanted = format.childCount, wanted != count {
      throw ArrowField.wrong(path, "\(count) children of a \(format.words), which has \(wanted)")
    }
    guard count > 0 else { return }
    guard let list = schema.children else { throw ArrowField.wrong(path, "the list of children is NULL") }
    for index in 0..<count {
      children.append(
        try ArrowField(list[index], path: "\(path), child \(index)", depth: depth + 1))
    }
    if format == .map, children[0].format != .structure || children[0].children.count != 2 {
      throw ArrowField.wrong(path, "the entries of a map are not a struct of two")
    }
  }

  /// Text that ends in NUL; repaired where it is not UTF-8.
  private static func text(_ start: UnsafePointer<CChar>?, _ path: String) throws(NeatError) -> String? {
    guard let start else { return nil }
    let count = strnlen(start, ArrowLimits.maxName + 1)
    guard count <= ArrowLimits.maxName else {
      throw NeatError(
        .limitExceeded, "Arrow schema, \(path): a name of more than \(ArrowLimits.maxName) bytes")
    }
    return String(
      decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Pairs of texts with their lengths before them, in the machine's byte order.
  private mutating func readMetadata(_ start: UnsafePointer<CChar>?, _ path: String) throws(NeatError) {
    guard let start else { return }
    var cursor = UnsafeRawPointer(start)
    func number() throws(NeatError) -> Int {
      let value = Int(cursor.loadUnaligned(as: Int32.self))
      cursor += 4
      guard value >= 0, value <= ArrowLimits.maxName else {
        throw ArrowField.wrong(path, "metadata with a length of \(value)")
      }
      return value
    }
    func entry() throws(NeatError) -> String {
      let count = try number()
      let text = String(decoding: UnsafeRawBufferPointer(start: cursor, count: count), as: UTF8.self)
      cursor += count
      return text
    }
    let count = try number()
    guard count <= ArrowLimits.maxFields else {
      throw ArrowField.wrong(path, "metadata of \(count) entries")
    }
    for _ in 0..<count {
      let key = try entry()
      let value = try entry()
      if key == "ARROW:extension:name" { extensionName = value }
      if key == "ARROW:extension:metadata" { extensionMetadata = value }
    }
  }

  static func wrong(_ path: String, _ words: String) -> NeatError {
    NeatError(.invalidArgument, "Arrow schema, \(path): \(words)")
  }

  /// What a timestamp's zone is from UTC: "+02:00" as it says, nothing for no zone. Instants of zones that go
  /// by a name are told in UTC, which needs no table of zones.
  private static func minutes(ofZone zone: Substring) -> Int? {
    if zone.isEmpty { return nil }
    let bytes = Array(zone.utf8)
    guard bytes.count == 6, bytes[3] == 0x3a, bytes[0] == 0x2b || bytes[0] == 0x2d,
      let hours = Int(zone.dropFirst().prefix(2)), let minutes = Int(zone.suffix(2)), 0..<24 ~= hours,
      0..<60 ~= minutes
    else { return 0 }
    return (bytes[0] == 0x2d ? -1 : 1) * (hours * 60 + minutes)
  }

  // MARK: What can be read

  /// Why no property can be made of the column, or nil.
  var reasonLeftOut: String? {
    if let values = dictionary.first { return values.reasonLeftOut }
    if !format.isReadable { return "of type \(format.words)" }
    for child in children {
      if let reason = child.reasonLeftOut { return "with a member \"\(child.name)\" \(reason)" }
    }
    return nil
  }

  /// Whether its values are bytes without further meaning.
  var isBinary: Bool {
    guard dictionary.isEmpty else { return false }
    switch format {
    case .binary: return true
    default: return false
    }
  }
}
