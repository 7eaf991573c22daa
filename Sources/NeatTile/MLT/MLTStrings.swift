import NeatBase

/// The distinct strings of a column or of several columns: slices of memory that the layer owns.
struct MLTDictionary {
  private(set) var entries: [TileValue] = []

  /// `lengths` cut `bytes`, which must be used up to no more than their end.
  init(_ lengths: [UInt32], _ bytes: UnsafeBufferPointer<UInt8>, fault: NeatError) throws(NeatError) {
    entries.reserveCapacity(lengths.count)
    var at = 0
    for length in lengths {
      guard Int(length) <= bytes.count - at else { throw fault }
      entries.append(
        .string(UnsafeBufferPointer(start: bytes.baseAddress.map { $0 + at }, count: Int(length))))
      at += Int(length)
    }
  }
}

/// The streams of a string column or of a shared dictionary, found by their type.
struct MLTStringStreams {
  var lengths: MLTStream?
  var data: MLTStream?
  var offsets: MLTStream?
  var symbolLengths: MLTStream?
  var symbols: MLTStream?

  /// Whether the stream was one of these.
  mutating func add(_ stream: MLTStream) throws(NeatError) {
    switch stream.type {
    case MLTStreamType.lengthVarBinary, MLTStreamType.lengthDictionary: lengths = stream
    case MLTStreamType.dataPlain, MLTStreamType.dataSingle, MLTStreamType.dataShared: data = stream
    case MLTStreamType.offsetString, MLTStreamType.offsetIndex: offsets = stream
    case MLTStreamType.lengthSymbol: symbolLengths = stream
    case MLTStreamType.dataFSST: symbols = stream
    default: throw stream.fail("a stream of type \(stream.type) in a column of strings")
    }
  }

  /// The strings that the streams describe, in memory of the arena.
  func dictionary(_ arena: Arena, _ reader: inout MLTReader) throws(NeatError) -> MLTDictionary {
    guard let lengths, let data else {
      throw reader.fail("a column of strings lacks its lengths or its data")
    }
    let sizes = try lengths.counts(&reader)
    let bytes: UnsafeBufferPointer<UInt8>
    if let symbols, let symbolLengths {
      bytes = try MLTStringStreams.expand(data, symbols, try symbolLengths.counts(&reader), arena, &reader)
    } else {
      let target = arena.allocate(UInt8.self, data.payload.count)
      if let base = data.payload.baseAddress { target.update(from: base, count: data.payload.count) }
      bytes = UnsafeBufferPointer(start: target, count: data.payload.count)
    }
    return try MLTDictionary(sizes, bytes, fault: data.fail("strings are longer than their data"))
  }

  /// FSST (Boncz, Neumann, Leis 2020): a byte below 255 stands for a symbol of up to eight bytes, 255 for the
  /// byte behind it.
  private static func expand(
    _ data: MLTStream, _ symbols: MLTStream, _ symbolLengths: [UInt32], _ arena: Arena,
    _ reader: inout MLTReader
  ) throws(NeatError) -> UnsafeBufferPointer<UInt8> {
    guard symbolLengths.count <= 255 else {
      throw symbols.fail("\(symbolLengths.count) symbols: 255 at most")
    }
    var starts: [Int] = [0]
    for length in symbolLengths {
      guard length <= 8 else { throw symbols.fail("a symbol of \(length) bytes: 8 at most") }
      starts.append(starts[starts.count - 1] + Int(length))
    }
    guard starts[starts.count - 1] <= symbols.payload.count else {
      throw symbols.fail("symbols are longer than their table")
    }
    let codes = data.payload
    try reader.spend(codes.count * 8)
    let target = arena.allocate(UInt8.self, codes.count * 8)
    var count = 0
    var at = 0
    while at < codes.count {
      let code = Int(codes[at])
      at += 1
      if code == 255 {
        guard at < codes.count else { throw data.fail("strings end on an escape") }
        target[count] = codes[at]
        count += 1
        at += 1
        continue
      }
      guard code < symbolLengths.count else { throw data.fail("symbol \(code) does not exist") }
      for index in starts[code]..<starts[code + 1] {
        target[count] = symbols.payload[index]
        count += 1
      }
    }
    return UnsafeBufferPointer(start: target, count: count)
  }
}
