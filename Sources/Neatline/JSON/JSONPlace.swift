/// A place in JSON text, in words for people. Found by going through the text once more, so that readers need
/// keep no account of where they are.
struct JSONPlace {
  /// Both from 1; columns are bytes.
  var line = 1
  var column = 1
  /// The members and elements around the place: `features[3].geometry.coordinates[1]`.
  var keyPath = ""

  /// The text up to `offset` is JSON.
  init(_ offset: Int, in bytes: [UInt8]) {
    let before = bytes.prefix(offset)
    line = before.count { $0 == 10 } + 1
    column = offset - (before.lastIndex(of: 10) ?? -1)
    keyPath = JSONPlace.keyPath(before)
  }

  /// An array or object that is open at the place.
  private enum Level {
    case array(index: Int)
    case object(key: Range<Int>?)
  }

  private static func keyPath(_ bytes: ArraySlice<UInt8>) -> String {
    var levels: [Level] = []
    var string: Range<Int>?
    var cursor = bytes.startIndex
    while cursor < bytes.endIndex {
      switch bytes[cursor] {
      case UInt8(ascii: "{"): levels.append(.object(key: nil))
      case UInt8(ascii: "["): levels.append(.array(index: 0))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = levels.popLast()
      case UInt8(ascii: "\""):
        let first = cursor + 1
        cursor = stringEnd(bytes, first)
        string = first..<cursor
      case UInt8(ascii: ":"):
        if case .object? = levels.last { levels[levels.count - 1] = .object(key: string) }
      case UInt8(ascii: ","):
        switch levels.last {
        case .array(let index)?: levels[levels.count - 1] = .array(index: index + 1)
        case .object?: levels[levels.count - 1] = .object(key: nil)
        case nil: break
        }
      default: break
      }
      cursor += 1
    }
    return levels.reduce(into: "") { path, level in
      switch level {
      case .array(let index): path += "[\(index)]"
      case .object(let key?): path += (path.isEmpty ? "" : ".") + String(decoding: bytes[key], as: UTF8.self)
      case .object(nil): break
      }
    }
  }

  private static func stringEnd(_ bytes: ArraySlice<UInt8>, _ first: Int) -> Int {
    var cursor = first
    while cursor < bytes.endIndex, bytes[cursor] != UInt8(ascii: "\"") {
      cursor += bytes[cursor] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(cursor, bytes.endIndex)
  }
}
