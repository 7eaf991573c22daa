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
    let ones: UInt64 = 0x0101_0101_0101_0101
    var at = 0
    while at < count {
      if isInString {
        if !isEscaped {
          while count - at >= 8 {
            let word = UnsafeRawPointer(base + at).loadUnaligned(as: UInt64.self)
            let quote = word ^ (ones &* 0x22), slash = word ^ (ones &* 0x5c)
            let found = ((quote &- ones) & ~quote | (slash &- ones) & ~slash) & (ones &* 0x80)
            if found != 0 {
              at += found.trailingZeroBitCount >> 3
              break
            }
            at += 8
          }
          guard at < count else { return nil }
        }
        let byte = base[at]
        at += 1
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5c {
          isEscaped = true
        } else if byte == 0x22 {
          isInString = false
        }
      } else {
        while count - at >= 8 {
          let word = UnsafeRawPointer(base + at).loadUnaligned(as: UInt64.self)
          let quote = word ^ (ones &* 0x22), open = word ^ (ones &* 0x7b), close = word ^ (ones &* 0x7d)
          let found =
            ((quote &- ones) & ~quote | (open &- ones) & ~open | (close &- ones) & ~close) & (ones &* 0x80)
          if found != 0 {
            at += found.trailingZeroBitCount >> 3
            break
          }
          at += 8
        }
        guard at < count else { return nil }
        let byte = base[at]
        at += 1
        switch byte {
        case 0x22: isInString = true
        case 0x7b: depth += 1
        case 0x7d:
          depth -= 1
          if depth <= 0 { return at }
        default: break
        }
      }
    }
    return nil
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
