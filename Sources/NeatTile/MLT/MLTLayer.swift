import NeatBase

/// A property column, ready to be spread over the features: values of the features that have one, in their
/// order.
private struct MLTColumn {
  var key: UInt32
  /// Which features have a value; nil: all.
  var present: [Bool]?
  /// Number of the value of each present feature in the layer's table.
  var values: [UInt32]
}

/// Reads the body of one layer (MLT 1, and the draft of MLT 2 that adds nested properties to it): header,
/// metadata of all columns, data of all columns.
struct MLTLayerReader {
  private var keys: [String] = []
  private var values: [TileValue] = []
  private var columns: [MLTColumn] = []
  private var ids: (present: [Bool]?, values: [UInt64])?
  private var geometry: MLTGeometry?
  private let arena = Arena()

  private struct Meta {
    var type: UInt8
    var name = ""
    var children: [(type: UInt8, name: String)] = []
    var isNullable: Bool { type & 1 != 0 }
  }

  /// Whether the body has a nested column, in metadata that can be read: what is written with tag 2 without
  /// it is another format.
  static func hasNestedColumns(_ reader: MLTReader) -> Bool {
    var reader = reader
    do throws(NeatError) {
      guard try !reader.string().isEmpty, try reader.count() > 0 else { return false }
      return try MLTLayerReader().readMetadata(&reader).contains { $0.type == 31 }
    } catch {
      return false
    }
  }

  mutating func read(_ reader: inout MLTReader) throws(NeatError) -> TileLayer {
    let name = try reader.string()
    guard !name.isEmpty else { throw reader.fail("a layer has no name") }
    do throws(NeatError) {
      let extent = try reader.count()
      guard extent > 0 else { throw reader.fail("extent 0") }
      let metas = try readMetadata(&reader)
      for meta in metas { try readColumn(meta, &reader) }
      guard let geometry else { throw reader.fail("there is no geometry column") }
      return try build(name, UInt32(extent), geometry, reader)
    } catch {
      throw NeatError(error.code, "layer \"\(name)\": \(error.message)", offset: error.offset)
    }
  }

  private func readMetadata(_ reader: inout MLTReader) throws(NeatError) -> [Meta] {
    let count = try reader.count()
    guard count <= MLTLimits.maxColumns else {
      throw NeatError(
        .limitExceeded, "\(count) columns: \(MLTLimits.maxColumns) at most", offset: reader.offset)
    }
    var metas: [Meta] = []
    for _ in 0..<count {
      var meta = Meta(type: try reader.byte())
      switch meta.type {
      case 0...4: break
      case 10, 11, 16...29: meta.name = try reader.string()
      case 30, 31:
        meta.name = try reader.string()
        let children = try reader.count()
        guard children <= MLTLimits.maxColumns else {
          throw NeatError(
            .limitExceeded, "\(children) columns: \(MLTLimits.maxColumns) at most", offset: reader.offset)
        }
        for _ in 0..<children {
          let type = try reader.byte()
          guard meta.type == 30 ? type == 28 || type == 29 : type == 31 else {
            throw reader.fail("columns of type \(type) below one of type \(meta.type)")
          }
          meta.children.append((type, try reader.string()))
          if type == 31, try reader.count() != 0 { throw reader.fail("nested columns below nested columns") }
        }
      default: throw reader.fail("no such column type: \(meta.type)")
      }
      metas.append(meta)
    }
    return metas
  }

  private mutating func readColumn(_ meta: Meta, _ reader: inout MLTReader) throws(NeatError) {
    switch meta.type {
    case 4:
      guard geometry == nil else { throw reader.fail("two geometry columns") }
      geometry = try MLTGeometry(&reader)
    case 0...3:
      let present = meta.isNullable ? try MLTStream(&reader).bits(&reader) : nil
      let stream = try MLTStream(&reader)
      let numbers =
        meta.type >= 2
        ? try stream.integers(UInt64.self, isSigned: false, &reader)
        : try stream.integers(UInt32.self, isSigned: false, &reader).map { UInt64($0) }
      ids = (present, numbers)
    case 28, 29: try readStrings(meta, &reader)
    case 30: try readSharedDictionary(meta, &reader)
    case 31: try readNested(meta, &reader)
    default:
      let present = meta.isNullable ? try MLTStream(&reader).bits(&reader) : nil
      let first = values.count
      try readScalars(meta.type & ~1, &reader)
      addColumn(meta.name, present, (first..<values.count).map { UInt32($0) })
    }
  }

  private mutating func addColumn(_ name: String, _ present: [Bool]?, _ values: [UInt32]) {
    columns.append(MLTColumn(key: UInt32(keys.count), present: present, values: values))
    keys.append(name)
  }

  private mutating func readScalars(_ type: UInt8, _ reader: inout MLTReader) throws(NeatError) {
    let stream = try MLTStream(&reader, isBoolean: type == 10)
    switch type {
    case 10: values += try stream.bits(&reader).map { .bool($0) }
    case 16:
      values += try stream.integers(UInt32.self, isSigned: true, &reader).map {
        .int(Int64(Int32(bitPattern: $0)))
      }
    case 18: values += try stream.integers(UInt32.self, isSigned: false, &reader).map { .uint(UInt64($0)) }
    case 20:
      values += try stream.integers(UInt64.self, isSigned: true, &reader).map { .int(Int64(bitPattern: $0)) }
    case 22: values += try stream.integers(UInt64.self, isSigned: false, &reader).map { .uint($0) }
    case 24: values += try stream.plain(UInt32.self, &reader).map { .double(Double(Float(bitPattern: $0))) }
    default: values += try stream.plain(UInt64.self, &reader).map { .double(Double(bitPattern: $0)) }
    }
  }

  private mutating func readStrings(_ meta: Meta, _ reader: inout MLTReader) throws(NeatError) {
    var left = try reader.count()
    guard left <= 8 else { throw reader.fail("a column of strings with \(left) streams") }
    var present: [Bool]?
    if meta.isNullable && left > 0 {
      present = try MLTStream(&reader).bits(&reader)
      left -= 1
    }
    var streams = MLTStringStreams()
    for _ in 0..<left { try streams.add(try MLTStream(&reader)) }
    let dictionary = try streams.dictionary(arena, &reader)
    let first = UInt32(values.count)
    values += dictionary.entries
    let numbers = try streams.offsets?.counts(&reader)
    if let numbers, let fault = streams.offsets?.fail("a string that the dictionary does not have") {
      guard numbers.allSatisfy({ Int($0) < dictionary.entries.count }) else { throw fault }
    }
    addColumn(
      meta.name, present,
      numbers?.map { first + $0 } ?? (0..<UInt32(dictionary.entries.count)).map { first + $0 })
  }

  private mutating func readSharedDictionary(_ meta: Meta, _ reader: inout MLTReader) throws(NeatError) {
    _ = try reader.count()
    var streams = MLTStringStreams()
    for _ in 0..<8 where streams.data == nil { try streams.add(try MLTStream(&reader)) }
    let dictionary = try streams.dictionary(arena, &reader)
    let first = UInt32(values.count)
    values += dictionary.entries
    for child in meta.children {
      var left = try reader.count()
      var present: [Bool]?
      if child.type == 29 && left > 0 {
        present = try MLTStream(&reader).bits(&reader)
        left -= 1
      }
      var numbers: [UInt32] = []
      if left > 0 {
        let stream = try MLTStream(&reader)
        numbers = try stream.counts(&reader)
        guard numbers.allSatisfy({ Int($0) < dictionary.entries.count }) else {
          throw stream.fail("a string that the dictionary does not have")
        }
      }
      addColumn(meta.name + child.name, present, numbers.map { first + $0 })
    }
  }

  private mutating func readNested(_ meta: Meta, _ reader: inout MLTReader) throws(NeatError) {
    let names = meta.children.isEmpty ? [meta.name] : meta.children.map { meta.name + $0.name }
    for column in try MLTNested.read(names, arena, &reader) {
      let first = UInt32(values.count)
      values += column.values
      addColumn(column.name, column.present, (0..<UInt32(column.values.count)).map { first + $0 })
    }
  }

  // MARK: Into features

  private func build(_ name: String, _ extent: UInt32, _ geometry: MLTGeometry, _ reader: MLTReader)
    throws(NeatError) -> TileLayer
  {
    let count = geometry.types.count
    var tagCounts = [UInt32](repeating: 0, count: count + 1)
    for column in columns {
      try check(column.present, column.values.count, count, "\"\(keys[Int(column.key)])\"", reader)
      for feature in 0..<count where column.present?[feature] ?? true { tagCounts[feature + 1] += 1 }
    }
    for feature in 0..<count { tagCounts[feature + 1] += tagCounts[feature] }
    let tags = arena.allocate(SIMD2<UInt32>.self, Int(tagCounts[count]))
    var cursors = tagCounts
    for column in columns {
      var next = 0
      for feature in 0..<count where column.present?[feature] ?? true {
        tags[Int(cursors[feature])] = SIMD2(column.key, column.values[next])
        cursors[feature] += 1
        next += 1
      }
    }
    var storage = TileLayer.Storage(
      types: keep(geometry.types), partStarts: keep(geometry.partStarts),
      pointStarts: keep(geometry.pointStarts),
      points: keep(geometry.points), values: keep(values), tagStarts: keep(tagCounts), tags: tags)
    storage.name = name
    storage.extent = extent
    storage.featureCount = count
    storage.partCount = geometry.pointStarts.count - 1
    storage.pointCount = geometry.points.count
    storage.valueCount = values.count
    storage.keys = keys
    if let ids {
      try check(ids.present, ids.values.count, count, "of ids", reader)
      var spread = [UInt64](repeating: 0, count: count)
      var next = 0
      for feature in 0..<count where ids.present?[feature] ?? true {
        spread[feature] = ids.values[next]
        next += 1
      }
      storage.ids = keep(spread)
      storage.hasID = keep(ids.present?.map { $0 ? 1 : 0 } ?? [UInt8](repeating: 1, count: count))
    }
    storage.owners = [arena]
    return TileLayer(storage)
  }

  /// A column has a bit for each feature, and a value for each bit that is set.
  private func check(_ present: [Bool]?, _ values: Int, _ features: Int, _ what: String, _ reader: MLTReader)
    throws(NeatError)
  {
    let expected = present.map { $0.reduce(0) { $0 + ($1 ? 1 : 0) } } ?? features
    guard present?.count ?? features == features, values == expected else {
      throw reader.fail("column \(what) does not fit \(features) features")
    }
  }

  private func keep<T: BitwiseCopyable>(_ array: [T]) -> UnsafePointer<T> {
    let target = arena.allocate(T.self, array.count)
    array.withUnsafeBufferPointer {
      if let base = $0.baseAddress { target.update(from: base, count: array.count) }
    }
    return UnsafePointer(target)
  }
}

extension MLTStream {
  /// Words as they are, for floats.
  func plain<T: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ type: T.Type, _ reader: inout MLTReader
  ) throws(NeatError) -> [T] {
    guard logical == .none, physical == .none else {
      throw fail("an encoding of integers on a stream of floats")
    }
    return try words(type, count, &reader)
  }
}
