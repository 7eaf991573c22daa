import NeatBase

// GeoJSON that comes in pieces: a file read by blocks, a response of a server. Features are read as soon as
// their last byte is there, out of the piece itself where they lie wholly in it; only what a piece cuts in
// two is kept until the next. The text as a whole is never in memory.
//
// The text is a sequence of documents (one, or one a line). Of a document that does not end within the piece
// the way is followed byte by byte down to its "features"; these are then read one by one. What is left of
// such a document, the features taken out (`shell`), is read at its end like any other, so that its syntax
// and its type are checked the same way.

/// Reads GeoJSON that comes in pieces; what comes out is what `GeoJSONData(parsing:)` gives for the whole.
/// Plain text only.
package struct GeoJSONPushReader: ~Copyable {
  private enum State {
    /// Between documents.
    case between
    /// In a document, outside of its features.
    case shell
    /// Before a feature, or before the end of the features; `isOpen`: nothing came yet; `isDue`: a comma
    /// came.
    case features(isOpen: Bool, isDue: Bool)
    /// In a feature that an earlier piece began.
    case feature
    /// In an element of features that is no object.
    case scrap
    case failed(NeatError)
  }

  private var reader: GeoJSONReader
  private let limits: GeoJSONLimits
  private var state = State.between
  /// Bytes of a byte order mark that came; 3 once it did, or something else.
  private var markBytes = 0
  /// Where the bytes begin that are not read yet.
  private var place = TextPlace()
  /// Documents so far, and whether a line ended since the last one.
  private var documents = 0
  private var isSeparated = true
  /// What earlier pieces have of the feature or document at hand.
  private var pending = GrowingBuffer<UInt8>()
  private var braces = BraceScan()
  private var shell = GeoJSONShell()

  package init(limits: GeoJSONLimits = .init()) {
    self.limits = limits
    reader = GeoJSONReader(UnsafeBufferPointer(start: nil, count: 0), limits: limits)
  }

  /// Features that are read.
  package var featureCount: Int { reader.columns.ids.count }

  /// Takes the next bytes, which are not kept. Throws `geojson` with the place in the whole text, or
  /// `limitExceeded`; the same error then comes from every later call.
  package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(NeatError) {
    if case .failed(let error) = state { throw error }
    var rest = bytes
    do throws(GeoJSONFault) {
      guard bytes.count <= limits.maxBytes - unread else {
        throw GeoJSONFault(kind: .tooLarge, offset: 0, detail: limits.maxBytes)
      }
      try skipMark(&rest)
      while !rest.isEmpty { try step(&rest) }
    } catch {
      // Offsets of faults count from the first byte that is not read.
      var end = place
      let count = min(error.offset, pending.count)
      end.advance(over: UnsafeBufferPointer(start: pending.base, count: count))
      end.advance(over: UnsafeBufferPointer(rebasing: rest[..<min(rest.count, error.offset - count)]))
      try fail(error.error(at: shell.fault ?? end))
    }
  }

  package mutating func append(_ bytes: [UInt8]) throws(NeatError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(NeatError) in try append(bytes) }
  }

  /// The document, once all of it came.
  package consuming func finish() throws(NeatError) -> GeoJSONData {
    if case .failed(let error) = state { throw error }
    guard case .between = state, documents > 0 else {
      var end = place
      end.advance(over: UnsafeBufferPointer(start: pending.base, count: pending.count))
      throw GeoJSONFault(kind: .unexpectedEnd, offset: end.offset).error(at: end)
    }
    return GeoJSONData(reader.finish())
  }

  /// The features that came since the last call, which the reader forgets: of what comes then only the limits
  /// of counts begin anew.
  package mutating func takeBatch() -> GeoJSONData {
    var others = GeoJSONReader(UnsafeBufferPointer(start: nil, count: 0), limits: limits)
    swap(&others, &reader)
    return GeoJSONData(others.finish())
  }

  private var unread: Int { place.offset + pending.count }

  private mutating func fail(_ error: NeatError) throws(NeatError) {
    state = .failed(error)
    throw error
  }

  /// A byte order mark at the very beginning, wherever it is cut.
  private mutating func skipMark(_ rest: inout UnsafeBufferPointer<UInt8>) throws(GeoJSONFault) {
    let bytes: [UInt8] = [0xef, 0xbb, 0xbf]
    while markBytes < 3, let next = rest.first {
      guard next == bytes[markBytes] else {
        // The first byte of a mark begins nothing else.
        guard markBytes == 0 else { throw GeoJSONFault(kind: .rootNotObject, offset: 0) }
        return markBytes = 3
      }
      markBytes += 1
      place.offset += 1
      rest = UnsafeBufferPointer(rebasing: rest[1...])
    }
  }

  private mutating func consume(_ rest: inout UnsafeBufferPointer<UInt8>, _ count: Int) {
    let done = UnsafeBufferPointer(rebasing: rest[..<count])
    place.advance(over: done)
    rest = UnsafeBufferPointer(rebasing: rest[count...])
  }

  private mutating func step(_ rest: inout UnsafeBufferPointer<UInt8>) throws(GeoJSONFault) {
    switch state {
    case .between: try between(&rest)
    case .shell: try inShell(&rest)
    case .features(let isOpen, let isDue): try inFeatures(&rest, isOpen: isOpen, isDue: isDue)
    case .feature: try inFeature(&rest)
    case .scrap: try inScrap(&rest)
    case .failed: rest = UnsafeBufferPointer(start: nil, count: 0)
    }
  }

  private mutating func between(_ rest: inout UnsafeBufferPointer<UInt8>) throws(GeoJSONFault) {
    let byte = rest[0]
    switch byte {
    case 0x0a, 0x1e:
      isSeparated = true
      consume(&rest, 1)
    case 0x20, 0x0d, 0x09: consume(&rest, 1)
    case 0x7b:
      guard isSeparated else { throw GeoJSONFault(kind: .trailingBytes, offset: 0) }
      isSeparated = false
      documents += 1
      var scan = BraceScan()
      if let length = scan.end(rest) {
        try read(UnsafeBufferPointer(rebasing: rest[..<length])) { reader throws(GeoJSONFault) in
          try reader.readRecord()
        }
        consume(&rest, length)
      } else {
        shell.begin(place)
        state = .shell
      }
    default: throw GeoJSONFault(kind: documents == 0 ? .rootNotObject : .trailingBytes, offset: 0)
    }
  }

  private mutating func inShell(_ rest: inout UnsafeBufferPointer<UInt8>) throws(GeoJSONFault) {
    var used = 0
    var event: GeoJSONShell.Event?
    while used < rest.count, event == nil {
      event = shell.take(rest[used])
      used += 1
    }
    let limit = min(limits.maxBytes, limits.maxFeatureBytes)
    guard shell.text.count <= limit else { throw GeoJSONFault(kind: .tooLarge, offset: 0, detail: limit) }
    consume(&rest, used)
    switch event {
    case .features:
      shell.openFeatures()
      state = .features(isOpen: true, isDue: false)
    case .end: try endShell()
    case nil: break
    }
  }

  /// Reads the document without the features that were taken out of it.
  private mutating func endShell() throws(GeoJSONFault) {
    let before = featureCount
    do throws(GeoJSONFault) {
      let text = shell.text
      var fault: GeoJSONFault?
      text.withUnsafeBufferPointer { bytes in
        do throws(GeoJSONFault) {
          reader.scanner = GeoJSONScanner(bytes, maxDepth: limits.depthOnThisThread)
          try reader.readRecord()
        } catch { fault = error }
      }
      if let fault { throw fault }
      if shell.hasFeatures, featureCount != before || !shell.isCollection {
        throw GeoJSONFault(kind: .typeNotBeforeFeatures, offset: shell.featuresAt)
      }
    } catch {
      shell.locate(error.offset)
      throw error
    }
    state = .between
  }

  private mutating func inFeatures(_ rest: inout UnsafeBufferPointer<UInt8>, isOpen: Bool, isDue: Bool)
    throws(GeoJSONFault)
  {
    let byte = rest[0]
    switch byte {
    case 0x20, 0x0a, 0x0d, 0x09: consume(&rest, 1)
    case 0x2c:
      guard !isOpen, !isDue else { throw GeoJSONFault(kind: .unexpectedByte, offset: 0, detail: Int(byte)) }
      consume(&rest, 1)
      state = .features(isOpen: false, isDue: true)
    case 0x5d:
      guard !isDue else { throw GeoJSONFault(kind: .featureNotObject, offset: 0) }
      // The bracket goes to what is left of the document.
      shell.closeFeatures(place)
      state = .shell
    default:
      guard isOpen || isDue else { throw GeoJSONFault(kind: .unexpectedByte, offset: 0, detail: Int(byte)) }
      state = byte == 0x7b ? .feature : .scrap
      braces = BraceScan()
    }
  }

  private mutating func inFeature(_ rest: inout UnsafeBufferPointer<UInt8>) throws(GeoJSONFault) {
    let length = braces.end(rest)
    // However it is cut into pieces.
    guard pending.count + (length ?? rest.count) <= limits.maxFeatureBytes else {
      throw GeoJSONFault(kind: .tooLarge, offset: 0, detail: limits.maxFeatureBytes)
    }
    if let length { try readElement(&rest, length) } else { keep(&rest) }
  }

  private mutating func inScrap(_ rest: inout UnsafeBufferPointer<UInt8>) throws(GeoJSONFault) {
    guard let length = rest.firstIndex(where: { $0 <= 0x20 || $0 == 0x2c || $0 == 0x5d }) else {
      // `null` is all that may stand here.
      if pending.count + rest.count > 4 { throw GeoJSONFault(kind: .featureNotObject, offset: 0) }
      return keep(&rest)
    }
    try readElement(&rest, length)
  }

  private mutating func keep(_ rest: inout UnsafeBufferPointer<UInt8>) {
    pending.reserve(rest.count).update(from: rest.baseAddress!, count: rest.count)
    pending.advance(rest.count)
    rest = UnsafeBufferPointer(start: nil, count: 0)
  }

  /// Reads one element of features that ends `length` bytes on.
  private mutating func readElement(_ rest: inout UnsafeBufferPointer<UInt8>, _ length: Int)
    throws(GeoJSONFault)
  {
    let head = pending.count
    if head == 0 {
      try read(UnsafeBufferPointer(rebasing: rest[..<length])) { reader throws(GeoJSONFault) in
        try reader.readElement()
      }
      consume(&rest, length)
    } else {
      var tail = UnsafeBufferPointer(rebasing: rest[..<length])
      let after = UnsafeBufferPointer(rebasing: rest[length...])
      keep(&tail)
      let whole = UnsafeBufferPointer(start: pending.base, count: pending.count)
      do throws(GeoJSONFault) {
        try read(whole) { reader throws(GeoJSONFault) in try reader.readElement() }
      } catch {
        // All of the text up to the fault is in `pending`.
        rest = UnsafeBufferPointer(start: nil, count: 0)
        throw error
      }
      place.advance(over: whole)
      pending.truncate(0)
      rest = after
    }
    state = .features(isOpen: false, isDue: false)
  }

  private mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (inout GeoJSONReader) throws(GeoJSONFault) -> Void
  ) throws(GeoJSONFault) {
    reader.scanner = GeoJSONScanner(bytes, maxDepth: limits.depthOnThisThread)
    try body(&reader)
    if reader.scanner.peek() != 0 || reader.scanner.cursor < reader.scanner.end {
      throw reader.scanner.unexpected()
    }
  }
}
