import NeatBase

/// One array of a batch, held against its type: where its values are. Children are neighbours in the list of
/// nodes.
struct ArrowNode: BitwiseCopyable {
  var format = ArrowFormat.null
  var zoneMinutes: Int?
  /// Values, from `offset` of the buffers on.
  var length = 0
  var offset = 0
  /// A bit a value, or nil where all values are there.
  var validity: UnsafeRawPointer?
  /// Values of fixed size, offsets, or views.
  var values: UnsafeRawPointer?
  /// The bytes that offsets point into; of views, the list of buffers.
  var bytes: UnsafeRawPointer?
  /// Sizes of the buffers of views, and how many buffers there are.
  var viewSizes: UnsafeRawPointer?
  var viewCount = 0
  var firstChild = 0
  var childCount = 0
  /// The node of the dictionary, or -1.
  var dictionary = -1
  /// Where the member's name stands in the list of names.
  var name = 0

  @inline(__always) func isValid(_ index: Int) -> Bool {
    assert(index >= 0 && index < length, "a value past the end of its array")
    guard let validity else { return true }
    let bit = offset &+ index
    return validity.load(fromByteOffset: bit &>> 3, as: UInt8.self) &>> UInt8(truncatingIfNeeded: bit & 7) & 1
      == 1
  }

  @inline(__always) func fixed<T: BitwiseCopyable>(_ index: Int, as type: T.Type) -> T {
    assert(index >= 0 && index < length && values != nil, "a value past the end of its array")
    return values!.loadUnaligned(
      fromByteOffset: (offset &+ index) &* MemoryLayout<T>.size, as: type)
  }

  /// The run of bytes, or of a child's values, between two offsets.
  @inline(__always) func run(_ index: Int, isLong: Bool) throws(ArrowFault) -> Range<Int> {
    assert(index >= 0 && index < length && values != nil, "a value past the end of its array")
    let at = offset &+ index
    let first: Int64
    let end: Int64
    if isLong {
      first = values!.loadUnaligned(fromByteOffset: at &* 8, as: Int64.self)
      end = values!.loadUnaligned(fromByteOffset: at &* 8 &+ 8, as: Int64.self)
    } else {
      first = Int64(values!.loadUnaligned(fromByteOffset: at &* 4, as: Int32.self))
      end = Int64(values!.loadUnaligned(fromByteOffset: at &* 4 &+ 4, as: Int32.self))
    }
    guard first >= 0, first <= end, end <= ArrowLimits.maxLength else { throw ArrowFault(.offsets) }
    return Int(first)..<Int(end)
  }

  /// The bytes of a text or binary value.
  @inline(__always) func bytes(_ index: Int, _ run: ArrowFormat.Run) throws(ArrowFault)
    -> UnsafeRawBufferPointer
  {
    if run == .view { return try view(index) }
    let range = try self.run(index, isLong: run == .long)
    guard !range.isEmpty else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    guard let bytes else { throw ArrowFault(.offsets) }
    return UnsafeRawBufferPointer(start: bytes + range.lowerBound, count: range.count)
  }

  /// 16 bytes: a length, and up to 12 bytes of text or four of them, a buffer's number and an offset in it.
  private func view(_ index: Int) throws(ArrowFault) -> UnsafeRawBufferPointer {
    let place = values! + (offset + index) * 16
    let count = Int(place.loadUnaligned(as: Int32.self))
    guard count >= 0 else { throw ArrowFault(.view) }
    if count <= 12 { return UnsafeRawBufferPointer(start: place + 4, count: count) }
    let buffer = Int(place.loadUnaligned(fromByteOffset: 8, as: Int32.self))
    let first = Int(place.loadUnaligned(fromByteOffset: 12, as: Int32.self))
    guard buffer >= 0, buffer < viewCount, first >= 0,
      Int64(first + count) <= viewSizes!.loadUnaligned(fromByteOffset: buffer * 8, as: Int64.self),
      let start = bytes!.loadUnaligned(
        fromByteOffset: buffer * MemoryLayout<Int>.size, as: UnsafeRawPointer?.self)
    else { throw ArrowFault(.view) }
    return UnsafeRawBufferPointer(start: start + first, count: count)
  }

  /// The values of a child that belong to a list.
  @inline(__always) func elements(_ index: Int, of child: ArrowNode) throws(ArrowFault) -> Range<Int> {
    let range: Range<Int>
    switch format {
    case .list(let isLong): range = try run(index, isLong: isLong)
    case .map: range = try run(index, isLong: false)
    case .fixedList(let width): range = (offset + index) * width..<(offset + index + 1) * width
    default: fatalError("a \(format) has no elements")
    }
    guard range.upperBound <= child.length else { throw ArrowFault(.offsets) }
    return range
  }

  /// Whether the members of a struct, or the elements of a list of fixed size, cannot lie past a child's end.
  func reaches(_ child: ArrowNode) -> Bool {
    switch format {
    case .structure: return child.length >= offset + length
    case .fixedList(let width):
      let (needed, overflows) = (offset + length).multipliedReportingOverflow(by: width)
      return !overflows && child.length >= needed
    default: return true
    }
  }
}

/// What is wrong with a value of a batch; the batch's reader adds the column and the row.
struct ArrowFault: Error, BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    case offsets, view, dictionaryIndex, tooMuchText, wkb, tooMany, notFinite
  }
  var kind: Kind
  var wkb = WKBFault(.truncated, 0)

  /// A limit.
  var detail = 0

  init(_ kind: Kind, detail: Int = 0) {
    self.kind = kind
    self.detail = detail
  }

  init(_ fault: WKBFault) {
    kind = .wkb
    wkb = fault
  }

  var code: ErrorCode {
    switch kind {
    case .offsets, .view, .dictionaryIndex: .invalidArgument
    case .tooMuchText, .tooMany: .limitExceeded
    case .wkb: wkb.code
    case .notFinite: .geojson
    }
  }

  var words: String {
    switch kind {
    case .offsets: "offsets that are negative, fall, or reach past their values"
    case .view: "a view that lies outside its buffer"
    case .dictionaryIndex: "an index that its dictionary lacks"
    case .tooMuchText: "the batch becomes more than \(detail) bytes of text"
    case .tooMany: "more than \(detail) geometries, points or properties"
    case .wkb: wkb.words
    case .notFinite: "a coordinate is not finite"
    }
  }
}

/// The arrays of a batch as a list of nodes.
struct ArrowNodes: ~Copyable {
  var list = GrowingBuffer<ArrowNode>()
  var names: [String] = []

  subscript(_ index: Int) -> ArrowNode { list[index] }

  func child(_ node: ArrowNode, _ index: Int) -> ArrowNode {
    assert(index >= 0 && index < node.childCount, "no such child")
    return list[node.firstChild + index]
  }

  /// Adds an array, and returns its number. `path` names it in messages.
  mutating func add(_ array: UnsafePointer<ArrowArrayC>?, _ field: ArrowField, path: String)
    throws(NeatError) -> Int
  {
    let slot = list.count
    list.append(ArrowNode())
    try fill(slot, array, field, path: path)
    return slot
  }

  private mutating func fill(
    _ slot: Int, _ array: UnsafePointer<ArrowArrayC>?, _ field: ArrowField, path: String
  ) throws(NeatError) {
    guard let array = array?.pointee else { throw ArrowNodes.wrong(path, "the array is NULL") }
    guard array.release != nil else { throw ArrowNodes.wrong(path, "the array was released") }
    guard 0...ArrowLimits.maxLength ~= array.length, 0...ArrowLimits.maxLength ~= array.offset,
      array.nullCount >= -1, array.nullCount <= array.length
    else {
      throw ArrowNodes.wrong(
        path, "length \(array.length), offset \(array.offset), \(array.nullCount) nulls")
    }
    var node = ArrowNode()
    node.format = field.format
    node.zoneMinutes = field.zoneMinutes
    node.length = Int(array.length)
    node.offset = Int(array.offset)
    node.name = names.count
    names.append(field.name)
    try ArrowNodes.readBuffers(array, &node, path)
    guard array.childCount == field.children.count else {
      throw ArrowNodes.wrong(
        path, "\(array.childCount) children, where the schema has \(field.children.count)")
    }
    node.childCount = field.children.count
    node.firstChild = list.count
    for _ in 0..<node.childCount { list.append(ArrowNode()) }
    if node.childCount > 0 {
      guard let children = array.children else {
        throw ArrowNodes.wrong(path, "the list of children is NULL")
      }
      for index in 0..<node.childCount {
        let child = field.children[index]
        let childPath = child.name.isEmpty ? "\(path), child \(index)" : "\(path), \"\(child.name)\""
        try fill(node.firstChild + index, children[index], child, path: childPath)
        guard node.reaches(list[node.firstChild + index]) else {
          throw ArrowNodes.wrong(childPath, "fewer values than its parent needs")
        }
      }
    }
    if let values = field.dictionary.first {
      node.dictionary = try add(array.dictionary, values, path: path + ", dictionary")
    }
    list[slot] = node
  }

  /// Takes the buffers over into a node. A buffer may be NULL only where no value lies in it.
  private static func readBuffers(_ array: ArrowArrayC, _ node: inout ArrowNode, _ path: String)
    throws(NeatError)
  {
    let count = array.bufferCount
    guard isPlausible(count, for: node.format) else {
      throw wrong(path, "\(count) buffers of a \(node.format.words)")
    }
    if count == 0 { return }
    guard let buffers = array.buffers else { throw wrong(path, "the list of buffers is NULL") }
    if node.format == .null { return }
    if array.nullCount != 0 { node.validity = buffers[0] }
    if node.validity == nil && array.nullCount > 0 && node.length > 0 {
      throw wrong(path, "\(array.nullCount) nulls and no validity bitmap")
    }
    guard count > 1 else { return }
    node.values = buffers[1]
    if node.values == nil && node.length > 0 {
      throw wrong(path, "the buffer of \(node.length) values is NULL")
    }
    guard count > 2 else { return }
    if node.format == .text(.view) || node.format == .binary(.view) {
      node.viewCount = Int(count) - 3
      node.bytes = UnsafeRawPointer(buffers + 2)
      node.viewSizes = buffers[Int(count) - 1]
      if node.viewSizes == nil && node.viewCount > 0 { throw wrong(path, "the sizes of buffers are NULL") }
    } else {
      node.bytes = buffers[2]
    }
  }

  private static func isPlausible(_ count: Int64, for format: ArrowFormat) -> Bool {
    switch format {
    // Writers before version 1.0 gave arrays of nulls a bitmap.
    case .null: count == 0 || count == 1
    case .text(.view), .binary(.view): 3...1 << 31 ~= count
    default: format.bufferCount.map { Int64($0) == count } ?? true
    }
  }

  static func wrong(_ path: String, _ words: String) -> NeatError {
    NeatError(.invalidArgument, "Arrow array, \(path): \(words)")
  }
}
