import NeatBase
import NeatJSON

@testable import NeatTile

/// A column of a batch, or the batch: its type and its values, in memory that `ArrowMemory` owns.
struct ArrowColumn {
  var schema: UnsafeMutablePointer<ArrowSchemaC>
  var array: UnsafeMutablePointer<ArrowArrayC>
}

/// Makes the structures of the C data interface by hand.
final class ArrowMemory {
  private var blocks: [UnsafeMutableRawPointer] = []
  /// What stands for a release callback; nobody calls it.
  static var release: UnsafeRawPointer { UnsafeRawPointer(bitPattern: 0x1000)! }

  deinit { for block in blocks { block.deallocate() } }

  func bytes<T: BitwiseCopyable>(_ values: [T]) -> UnsafeRawPointer {
    // Off by one, as the specification only recommends alignment.
    let size = values.count * MemoryLayout<T>.size
    let block = UnsafeMutableRawPointer.allocate(byteCount: size + 8, alignment: 8)
    blocks.append(block)
    values.withUnsafeBytes {
      (block + 1).copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(block), byteCount: size)
    }
    return UnsafeRawPointer(block + 1)
  }

  func pointers<T>(_ values: [T]) -> UnsafeMutablePointer<T> {
    let block = UnsafeMutablePointer<T>.allocate(capacity: max(1, values.count))
    block.initialize(from: values, count: values.count)
    blocks.append(UnsafeMutableRawPointer(block))
    return block
  }

  func text(_ text: String) -> UnsafePointer<CChar> {
    UnsafePointer(bytes(Array(text.utf8) + [0]).assumingMemoryBound(to: CChar.self))
  }

  static func metadata(_ pairs: [(String, String)]) -> [UInt8] {
    func word(_ text: String) -> [UInt8] {
      withUnsafeBytes(of: Int32(text.utf8.count)) { Array($0) } + Array(text.utf8)
    }
    return withUnsafeBytes(of: Int32(pairs.count)) { Array($0) } + pairs.flatMap { word($0) + word($1) }
  }

  func column(
    _ name: String, _ format: String, length: Int, offset: Int = 0, nulls: [Bool]? = nil,
    buffers: [UnsafeRawPointer?], hasValidity: Bool = true, children: [ArrowColumn] = [],
    dictionary: ArrowColumn? = nil, metadata: [(String, String)] = []
  ) -> ArrowColumn {
    var schema = ArrowSchemaC()
    schema.format = text(format)
    schema.name = text(name)
    if !metadata.isEmpty {
      schema.metadata = UnsafePointer(
        bytes(ArrowMemory.metadata(metadata)).assumingMemoryBound(to: CChar.self))
    }
    schema.flags = 2
    schema.childCount = Int64(children.count)
    schema.children = pointers(children.map { $0.schema })
    schema.dictionary = dictionary?.schema
    schema.release = ArrowMemory.release
    var array = ArrowArrayC()
    array.length = Int64(length)
    array.offset = Int64(offset)
    array.nullCount = Int64(nulls.map { $0.filter { $0 }.count } ?? 0)
    var all = buffers
    if hasValidity { all.insert(nulls.map { bytes(bits($0.map { !$0 })) }, at: 0) }
    array.bufferCount = Int64(all.count)
    array.buffers = pointers(all)
    array.childCount = Int64(children.count)
    array.children = pointers(children.map { $0.array })
    array.dictionary = dictionary?.array
    array.release = ArrowMemory.release
    return ArrowColumn(schema: pointers([schema]), array: pointers([array]))
  }

  func bits(_ values: [Bool]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (values.count + 7) / 8)
    for (index, value) in values.enumerated() where value { bytes[index / 8] |= 1 << UInt8(index % 8) }
    return bytes
  }

  // MARK: Columns of values

  func fixed<T: BitwiseCopyable & ExpressibleByIntegerLiteral>(
    _ name: String, _ format: String, _ values: [T?], offset: Int = 0
  ) -> ArrowColumn {
    column(
      name, format, length: values.count - offset, offset: offset, nulls: values.map { $0 == nil },
      buffers: [bytes(values.map { $0 ?? 0 })])
  }

  func bools(_ name: String, _ values: [Bool?]) -> ArrowColumn {
    column(
      name, "b", length: values.count, nulls: values.map { $0 == nil },
      buffers: [bytes(bits(values.map { $0 ?? false }))])
  }

  /// Text or binary: "u", "U", "vu", "z", "Z", "vz".
  func runs(
    _ name: String, _ format: String, _ values: [[UInt8]?], offset: Int = 0,
    metadata: [(String, String)] = []
  ) -> ArrowColumn {
    let data = values.map { $0 ?? [] }
    var buffers: [UnsafeRawPointer?] = []
    if format.hasPrefix("v") {
      // Long values in two buffers by turns.
      var pools: [[UInt8]] = [[], []]
      let views = data.enumerated().flatMap { (index, value) -> [UInt8] in
        func word(_ value: Int) -> [UInt8] { withUnsafeBytes(of: Int32(value)) { Array($0) } }
        if value.count <= 12 {
          return word(value.count) + value + [UInt8](repeating: 0, count: 12 - value.count)
        }
        defer { pools[index % 2] += value }
        return word(value.count) + value[..<4] + word(index % 2) + word(pools[index % 2].count)
      }
      buffers = [
        bytes(views), bytes(pools[0]), bytes(pools[1]),
        bytes([Int64(pools[0].count), Int64(pools[1].count)]),
      ]
    } else {
      var ends = [0]
      for value in data { ends.append(ends.last! + value.count) }
      let isLong = format == "U" || format == "Z"
      buffers = [
        isLong ? bytes(ends.map { Int64($0) }) : bytes(ends.map { Int32($0) }), bytes(data.flatMap { $0 }),
      ]
    }
    return column(
      name, format, length: values.count - offset, offset: offset, nulls: values.map { $0 == nil },
      buffers: buffers, metadata: metadata)
  }

  func texts(_ name: String, _ values: [String?], _ format: String = "u", offset: Int = 0) -> ArrowColumn {
    runs(name, format, values.map { $0.map { Array($0.utf8) } }, offset: offset)
  }

  /// WKB of geometries in GeoJSON.
  func geometry(_ name: String, _ values: [String?], _ format: String = "z", form: WKBForm = .init())
    throws -> ArrowColumn
  {
    runs(
      name, format, try values.map { try $0.map { try wkb($0, form) } },
      metadata: [("ARROW:extension:name", "geoarrow.wkb")])
  }

  /// A list, with `counts` of the child's values each; nil for null.
  func list(_ name: String, _ counts: [Int?], _ child: ArrowColumn, isLong: Bool = false) -> ArrowColumn {
    var ends = [0]
    for count in counts { ends.append(ends.last! + (count ?? 0)) }
    return column(
      name, isLong ? "+L" : "+l", length: counts.count, nulls: counts.map { $0 == nil },
      buffers: [isLong ? bytes(ends.map { Int64($0) }) : bytes(ends.map { Int32($0) })], children: [child])
  }

  func structure(
    _ name: String, _ count: Int, _ children: [ArrowColumn], nulls: [Bool]? = nil, offset: Int = 0
  )
    -> ArrowColumn
  {
    column(
      name, "+s", length: count - offset, offset: offset, nulls: nulls, buffers: [], children: children)
  }

  func batch(_ count: Int, _ children: [ArrowColumn], offset: Int = 0, nulls: [Bool]? = nil) -> ArrowColumn {
    structure("", count, children, nulls: nulls, offset: offset)
  }
}

/// How WKB is written.
struct WKBForm {
  var isBig = false
  var hasZ = false
  var hasM = false
  /// The form of PostGIS.
  var isExtended = false
  var srid: UInt32?
}

/// WKB of a geometry in GeoJSON.
func wkb(_ text: String, _ form: WKBForm = .init()) throws -> [UInt8] {
  var out: [UInt8] = []
  writeWKB(try JSONDocument(parsing: Array(text.utf8)).root, form, into: &out)
  return out
}

private func writeWKB(_ geometry: JSON, _ form: WKBForm, into out: inout [UInt8]) {
  let types = [
    "Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection",
  ]
  let type = types.firstIndex(of: geometry["type"]!.string!)! + 1
  writeWKB(type, type == 7 ? geometry["geometries"]! : geometry["coordinates"]!, form, into: &out)
}

private func writeWKB(
  _ type: Int, _ value: JSON, _ form: WKBForm, into out: inout [UInt8], isInner: Bool = false
) {
  func put(_ number: UInt32) {
    withUnsafeBytes(of: form.isBig ? number.bigEndian : number.littleEndian) { out += Array($0) }
  }
  func put(_ number: Double) {
    withUnsafeBytes(of: form.isBig ? number.bitPattern.bigEndian : number.bitPattern.littleEndian) {
      out += Array($0)
    }
  }
  func position(_ value: JSON) {
    put(value.count == 0 ? .nan : value[0]!.number!)
    put(value.count == 0 ? .nan : value[1]!.number!)
    if form.hasZ { put(777.0) }
    if form.hasM { put(Double.nan) }
  }
  out.append(form.isBig ? 0 : 1)
  var code = UInt32(type)
  if form.isExtended {
    code |= (form.hasZ ? 1 << 31 : 0) | (form.hasM ? 1 << 30 : 0)
    if form.srid != nil && !isInner { code |= 1 << 29 }
  } else {
    code += (form.hasZ ? 1000 : 0) + (form.hasM ? 2000 : 0)
  }
  put(code)
  if let srid = form.srid, !isInner { put(srid) }
  func run(_ value: JSON) {
    put(UInt32(value.count))
    value.elements.forEach(position)
  }
  switch type {
  case 1: position(value)
  case 2: run(value)
  case 3:
    put(UInt32(value.count))
    value.elements.forEach(run)
  case 7:
    put(UInt32(value.count))
    for member in value.elements { writeWKB(member, form, into: &out) }
  default:
    put(UInt32(value.count))
    for member in value.elements { writeWKB(type - 3, member, form, into: &out, isInner: true) }
  }
}
