import NeatBase
import NeatJSON

/// Makes property values of the cells of a batch.
struct ArrowValues: ~Copyable {
  let pool: StringPool
  /// Texts that were not UTF-8 in the value being read, and times that no day has.
  var repaired = 0
  var impossible = 0
  private var text = ArrowText()
  private let maxText: Int
  private var textLeft: Int

  /// `maxText`: bytes of text that the values may come to.
  init(pool: StringPool, maxText: Int) {
    self.pool = pool
    self.maxText = maxText
    textLeft = maxText
  }

  /// The value of a cell; nil where there is none: null, NaN, or a time that no day has.
  mutating func value(_ nodes: borrowing ArrowNodes, _ node: ArrowNode, _ index: Int, last: inout TileValue)
    throws(ArrowFault) -> TileValue?
  {
    guard node.isValid(index) else { return nil }
    if node.dictionary >= 0 {
      let values = nodes[node.dictionary]
      return try value(nodes, values, try entry(node, index, of: values), last: &last)
    }
    switch node.format {
    case .null: return nil
    case .bool:
      let bit = node.offset + index
      return .bool(node.values!.load(fromByteOffset: bit >> 3, as: UInt8.self) >> UInt8(bit & 7) & 1 == 1)
    case .integer(let bytes, let isSigned):
      let bits = integer(node, index, bytes, isSigned)
      return isSigned && Int64(bitPattern: bits) < 0 ? .int(Int64(bitPattern: bits)) : .uint(bits)
    case .real(let bytes):
      let number = real(node, index, bytes)
      return number.isNaN ? nil : .double(number)
    case .decimal(let bytes, let scale):
      text.clear()
      decimal(node, index, bytes, scale)
      return number(text.bytes.buffer, isWhole: scale <= 0)
    case .text(let run):
      return .string(try string(try node.bytes(index, run), last: &last))
    case .date, .time, .timestamp:
      text.clear()
      guard instant(node, index) else { return nil }
      return .string(try keep(UnsafeRawBufferPointer(text.bytes.buffer), last: &last))
    case .list, .fixedList, .structure, .map:
      text.clear()
      try json(nodes, node, index)
      return .json(try keep(UnsafeRawBufferPointer(text.bytes.buffer), last: &last))
    case .binary, .fixedBinary, .duration, .interval, .listView, .union, .runEnds:
      assertionFailure("a column that is left out")
      return nil
    }
  }

  /// Where the dictionary has the value of a cell.
  func entry(_ node: ArrowNode, _ index: Int, of values: ArrowNode) throws(ArrowFault) -> Int {
    guard case .integer(let bytes, let isSigned) = node.format else { throw ArrowFault(.dictionaryIndex) }
    let place = integer(node, index, bytes, isSigned)
    guard place < UInt64(values.length) else { throw ArrowFault(.dictionaryIndex) }
    return Int(place)
  }

  // MARK: Numbers

  /// The bits of a number, its sign carried to 64 bits.
  @inline(__always)
  private func integer(_ node: ArrowNode, _ index: Int, _ bytes: Int, _ isSigned: Bool) -> UInt64 {
    switch (bytes, isSigned) {
    case (1, true): UInt64(bitPattern: Int64(node.fixed(index, as: Int8.self)))
    case (1, false): UInt64(node.fixed(index, as: UInt8.self))
    case (2, true): UInt64(bitPattern: Int64(node.fixed(index, as: Int16.self)))
    case (2, false): UInt64(node.fixed(index, as: UInt16.self))
    case (4, true): UInt64(bitPattern: Int64(node.fixed(index, as: Int32.self)))
    case (4, false): UInt64(node.fixed(index, as: UInt32.self))
    default: node.fixed(index, as: UInt64.self)
    }
  }

  @inline(__always) private func real(_ node: ArrowNode, _ index: Int, _ bytes: Int) -> Double {
    switch bytes {
    case 2: arrowHalf(node.fixed(index, as: UInt16.self))
    case 4: arrowFloat(Float(bitPattern: node.fixed(index, as: UInt32.self)))
    default: Double(bitPattern: node.fixed(index, as: UInt64.self))
    }
  }

  private mutating func decimal(_ node: ArrowNode, _ index: Int, _ bytes: Int, _ scale: Int32) {
    let start = node.values! + (node.offset + index) * bytes
    text.decimal(UnsafeRawBufferPointer(start: start, count: bytes), scale: Int(scale))
  }

  /// The number of a decimal's text: exact where its type is whole and it is within 64 bits, else the nearest
  /// double.
  private func number(_ bytes: UnsafeBufferPointer<UInt8>, isWhole: Bool) -> TileValue? {
    let word = String(decoding: bytes, as: UTF8.self)
    if isWhole, let whole = UInt64(word) { return .uint(whole) }
    if isWhole, let whole = Int64(word) { return .int(whole) }
    return Double(word).map { .double($0) }
  }

  // MARK: Texts

  /// A text in the pool, once where it is the column's last one again.
  private mutating func keep(_ bytes: UnsafeRawBufferPointer, last: inout TileValue) throws(ArrowFault)
    -> UnsafeBufferPointer<UInt8>
  {
    if last.rawKind != TileValueKind.null.rawValue, Int(last.length) == bytes.count,
      bytes.isEmpty || memcmp(last.bytes.baseAddress!, bytes.baseAddress!, bytes.count) == 0
    {
      return last.bytes
    }
    guard bytes.count <= textLeft else { throw ArrowFault(.tooMuchText, detail: maxText) }
    textLeft -= bytes.count
    let kept = pool.copy(bytes.bindMemory(to: UInt8.self))
    last = .string(kept)
    return kept
  }

  private mutating func string(_ bytes: UnsafeRawBufferPointer, last: inout TileValue) throws(ArrowFault)
    -> UnsafeBufferPointer<UInt8>
  {
    guard bytes.count <= textLeft else { throw ArrowFault(.tooMuchText, detail: maxText) }
    if ArrowValues.isASCII(bytes) || String(validating: bytes, as: UTF8.self) != nil {
      return try keep(bytes, last: &last)
    }
    repaired += 1
    var fixed = String(decoding: bytes, as: UTF8.self)
    var result: Result<UnsafeBufferPointer<UInt8>, ArrowFault>?
    fixed.withUTF8 { fixed in
      result = Result { () throws(ArrowFault) in try keep(UnsafeRawBufferPointer(fixed), last: &last) }
    }
    return try result!.get()
  }

  private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var at = 0
    while at + 8 <= bytes.count {
      if bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 {
        return false
      }
      at += 8
    }
    while at < bytes.count {
      if bytes[at] >= 0x80 { return false }
      at += 1
    }
    return true
  }

  /// Writes a date, a time or a timestamp; false for a time that no day has.
  private mutating func instant(_ node: ArrowNode, _ index: Int) -> Bool {
    switch node.format {
    case .date(let isMilliseconds):
      text.date(
        days: isMilliseconds
          ? node.fixed(index, as: Int64.self).dividedDown(by: 86_400_000).0
          : Int64(node.fixed(index, as: Int32.self)))
    case .timestamp(let unit):
      text.timestamp(node.fixed(index, as: Int64.self), unit, zoneMinutes: node.zoneMinutes)
    case .time(let unit):
      let value =
        unit == .second || unit == .milli
        ? Int64(node.fixed(index, as: Int32.self)) : node.fixed(index, as: Int64.self)
      let (seconds, fraction) = value.dividedDown(by: unit.perSecond)
      guard seconds >= 0, seconds < 86_400 else {
        impossible += 1
        return false
      }
      text.time(seconds: seconds, fraction: fraction, unit)
    default: assertionFailure("neither date nor time")
    }
    return true
  }

  // MARK: JSON

  /// Writes a cell as JSON. Schemas bound the depth.
  private mutating func json(_ nodes: borrowing ArrowNodes, _ node: ArrowNode, _ index: Int)
    throws(ArrowFault)
  {
    guard text.bytes.count <= textLeft else { throw ArrowFault(.tooMuchText, detail: maxText) }
    guard node.isValid(index) else { return text.append("null") }
    if node.dictionary >= 0 {
      let values = nodes[node.dictionary]
      return try json(nodes, values, try entry(node, index, of: values))
    }
    switch node.format {
    case .bool:
      let bit = node.offset + index
      text.append(
        node.values!.load(fromByteOffset: bit >> 3, as: UInt8.self) >> UInt8(bit & 7) & 1 == 1
          ? "true" : "false")
    case .integer(let bytes, let isSigned):
      let bits = integer(node, index, bytes, isSigned)
      text.append(isSigned ? String(Int64(bitPattern: bits)) : String(bits))
    case .real(let bytes):
      let number = real(node, index, bytes)
      text.append(number.isFinite ? formatNumber(number) : "null")
    case .decimal(let bytes, let scale): decimal(node, index, bytes, scale)
    case .text(let run): try quote(try node.bytes(index, run))
    case .date, .time, .timestamp:
      let before = text.bytes.count
      text.append(0x22)
      if instant(node, index) {
        text.append(0x22)
      } else {
        text.cut(before)
        text.append("null")
      }
    case .list, .fixedList: try array(nodes, node, index)
    case .structure: try object(nodes, node, index)
    case .map: try map(nodes, node, index)
    default: text.append("null")
    }
  }

  private mutating func array(_ nodes: borrowing ArrowNodes, _ node: ArrowNode, _ index: Int)
    throws(ArrowFault)
  {
    let child = nodes.child(node, 0)
    text.append(0x5b)
    let range = try node.elements(index, of: child)
    for element in range {
      if element > range.lowerBound { text.append(0x2c) }
      try json(nodes, child, element)
    }
    text.append(0x5d)
  }

  private mutating func object(_ nodes: borrowing ArrowNodes, _ node: ArrowNode, _ index: Int)
    throws(ArrowFault)
  {
    text.append(0x7b)
    for number in 0..<node.childCount {
      let child = nodes.child(node, number)
      if number > 0 { text.append(0x2c) }
      text.quote(nodes.names[child.name])
      text.append(0x3a)
      // A member lies where its struct does.
      try json(nodes, child, node.offset + index)
    }
    text.append(0x7d)
  }

  /// An object; keys that are no texts are told as the texts of their values.
  private mutating func map(_ nodes: borrowing ArrowNodes, _ node: ArrowNode, _ index: Int)
    throws(ArrowFault)
  {
    let entries = nodes.child(node, 0)
    let keys = nodes.child(entries, 0)
    let values = nodes.child(entries, 1)
    text.append(0x7b)
    let range = try node.elements(index, of: entries)
    for element in range {
      if element > range.lowerBound { text.append(0x2c) }
      let first = text.bytes.count
      try json(nodes, keys, entries.offset + element)
      if text.bytes[first] != 0x22 {
        let word = Array(UnsafeBufferPointer(start: text.bytes.base + first, count: text.bytes.count - first))
        text.cut(first)
        text.quote(String(decoding: word, as: UTF8.self))
      }
      text.append(0x3a)
      try json(nodes, values, entries.offset + element)
    }
    text.append(0x7d)
  }

  private mutating func quote(_ bytes: UnsafeRawBufferPointer) throws(ArrowFault) {
    guard bytes.count <= textLeft else { throw ArrowFault(.tooMuchText, detail: maxText) }
    guard ArrowValues.isASCII(bytes) || String(validating: bytes, as: UTF8.self) != nil else {
      repaired += 1
      return text.quote(String(decoding: bytes, as: UTF8.self))
    }
    text.quote(bytes.bindMemory(to: UInt8.self))
  }
}

extension ArrowText {
  mutating func cut(_ count: Int) { bytes.truncate(count) }

  /// A JSON string.
  mutating func quote(_ source: UnsafeBufferPointer<UInt8>) {
    bytes.append(0x22)
    if var at = source.baseAddress {
      let end = at + source.count
      while at < end {
        let plain = JSONText.plainEnd(at, end)
        bytes.append(at, count: plain - at)
        at = plain
        guard at < end else { break }
        escape(at.pointee)
        at += 1
      }
    }
    bytes.append(0x22)
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case 0x22, 0x5c:
      bytes.append(0x5c)
      bytes.append(byte)
    case 0x0a: append("\\n")
    case 0x0d: append("\\r")
    case 0x09: append("\\t")
    default:
      append(byte < 0x10 ? "\\u000" : "\\u00")
      append(String(byte, radix: 16))
    }
  }

  mutating func quote(_ text: String) {
    var text = text
    text.withUTF8 { quote($0) }
  }
}

/// A 32-bit number as the double that its shortest decimal reads as: 0.1 and not 0.10000000149011612, as its
/// GeoJSON text would give.
func arrowFloat(_ value: Float) -> Double {
  let wide = Double(value)
  // Whole numbers below 2^24 are their own decimals.
  if wide == wide.rounded(), abs(wide) < 16_777_216 || !wide.isFinite { return wide }
  return wide.isFinite ? Double(value.description) ?? wide : wide
}

/// A 16-bit number, exactly.
func arrowHalf(_ bits: UInt16) -> Double {
  let sign: Double = bits >> 15 == 1 ? -1 : 1
  let exponent = Int(bits >> 10 & 31)
  let fraction = Double(bits & 1023)
  switch exponent {
  case 0: return sign * fraction * 0x1p-24
  case 31: return fraction == 0 ? sign * .infinity : .nan
  default: return sign * Double(sign: .plus, exponent: exponent - 25, significand: 1024 + fraction)
  }
}
