import NeatBase

/// Finds where an object ends, in pieces: braces outside of strings are counted, all else is passed over
/// eight bytes at a time.
struct BraceScan: BitwiseCopyable {
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  /// The number of bytes up to and with the brace that closes the object, or nil where it does not end in
  /// these bytes.
  mutating func end(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let count = bytes.count
    var at = 0
    while at < count {
      if isInString {
        // What an escape stands before is passed over without a look.
        if !isEscaped { at = BraceScan.next(base, at, count) { $0.mark(0x22) | $0.mark(0x5c) } }
        guard at < count else { return nil }
        takeInString(base[at])
        at += 1
      } else {
        at = BraceScan.next(base, at, count) { $0.mark(0x22) | $0.mark(0x7b) | $0.mark(0x7d) }
        guard at < count else { return nil }
        at += 1
        if closes(base[at - 1]) { return at }
      }
    }
    return nil
  }

  @inline(__always) private mutating func takeInString(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == 0x5c {
      isEscaped = true
    } else if byte == 0x22 {
      isInString = false
    }
  }

  /// Takes a byte outside of strings; whether it closes the object.
  @inline(__always) private mutating func closes(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x22: isInString = true
    case 0x7b: depth += 1
    case 0x7d:
      depth -= 1
      return depth <= 0
    default: break
    }
    return false
  }

  /// The first place from `at` on that `marks` marks; where there are less than eight bytes left, the first
  /// of them, marked or not.
  @inline(__always)
  private static func next(
    _ base: UnsafePointer<UInt8>, _ at: Int, _ count: Int, _ marks: (EightBytes) -> UInt64
  ) -> Int {
    var at = at
    while count - at >= 8 {
      assert(at >= 0, "a place before the first byte")
      let found = marks(EightBytes(word: UnsafeRawPointer(base + at).loadUnaligned(as: UInt64.self)))
      if found != 0 { return at + found.trailingZeroBitCount >> 3 }
      at += 8
    }
    return at
  }
}

/// Eight bytes of text that are compared at once.
private struct EightBytes {
  let word: UInt64

  /// A high bit for each byte that is `byte`. Bits above the lowest one may be wrong.
  @inline(__always) func mark(_ byte: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let difference = word ^ (ones &* byte)
    return (difference &- ones) & ~difference & (ones &* 0x80)
  }
}

/// A document that does not end in one piece, followed byte by byte: its text without the elements of
/// "features", which are read elsewhere.
struct GeoJSONShell {
  enum Event { case features, end }

  private(set) var text: [UInt8] = []
  private(set) var hasFeatures = false
  /// Length of the text when the features began.
  private(set) var featuresAt = 0
  /// Whether "type" is "FeatureCollection", once it came.
  private(set) var isCollection = false
  private var hasType = false
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// Where the latest string of the outermost object began and ended, quotes left out.
  private var string = 0..<0
  /// The latest key of the outermost object, while its value is awaited.
  private enum Key { case none, features, type }
  private var key = Key.none
  private var start = TextPlace()
  private var resumed = TextPlace()
  /// Where a fault of the text without its features lies in the whole.
  private(set) var fault: TextPlace?

  mutating func begin(_ place: TextPlace) {
    self = GeoJSONShell()
    start = place
  }

  mutating func openFeatures() {
    hasFeatures = true
    featuresAt = text.count
  }

  mutating func closeFeatures(_ place: TextPlace) { resumed = place }

  /// Takes the next byte: `features` where it opens the array of features, `end` where it closes the
  /// document.
  mutating func take(_ byte: UInt8) -> Event? {
    text.append(byte)
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == 0x5c {
        isEscaped = true
      } else if byte == 0x22 {
        isInString = false
        if depth == 1 { endString() }
      }
      return nil
    }
    switch byte {
    case 0x22:
      isInString = true
      if depth == 1 { string = text.count..<text.count }
    case 0x3a where depth == 1: key = named("features") ? .features : named("type") ? .type : .none
    case 0x2c where depth == 1: (key, string) = (.none, 0..<0)
    case 0x7b, 0x5b:
      depth += 1
      if byte == 0x5b, depth == 2, key == .features, !hasFeatures, !hasType || isCollection {
        return .features
      }
    case 0x7d, 0x5d:
      depth -= 1
      if depth <= 0 { return .end }
    default: break
    }
    return nil
  }

  private mutating func endString() {
    string = string.lowerBound..<text.count - 1
    if key == .type, !hasType {
      hasType = true
      isCollection = named("FeatureCollection")
    }
  }

  private func named(_ word: StaticString) -> Bool {
    text.withUnsafeBufferPointer { matches(UnsafeBufferPointer(rebasing: $0[string]), word) }
  }

  /// Finds the place in the whole text of a fault in what is left of it.
  mutating func locate(_ offset: Int) {
    let end = min(offset, text.count)
    var place = start
    text.withUnsafeBufferPointer { bytes in
      if !hasFeatures || end < featuresAt {
        place.advance(over: UnsafeBufferPointer(rebasing: bytes[..<end]))
      } else {
        place = resumed
        place.advance(over: UnsafeBufferPointer(rebasing: bytes[featuresAt..<end]))
      }
    }
    fault = place
  }
}
