import NeatBase
import NeatJSON

/// Something in a style that was left out or replaced by a default while it was read.
package struct StyleIssue: Sendable, Equatable, CustomStringConvertible {
  /// Line in the source, from 1.
  package var line: Int
  /// Where in the style: `layers[3].paint.fill-color`.
  package var key: String
  package var message: String

  package init(line: Int, key: String, message: String) {
    self.line = line
    self.key = key
    self.message = message
  }

  package var description: String { "\(key): \(message) (line \(line))" }
}

/// Collects issues while a style is read.
struct IssueLog {
  /// Issues kept; the rest is dropped, so that a hostile style costs no memory.
  static let limit = 1000
  /// Bytes of a key or message; the rest is cut off.
  static let textLimit = 4096

  private(set) var issues: [StyleIssue] = []
  /// What the constants of the expressions that are read may take.
  var compilation = CompilationBudget.standard

  mutating func add(_ json: JSON, _ key: @autoclosure () -> String, _ message: String) {
    guard issues.count < Self.limit else { return }
    issues.append(
      StyleIssue(
        line: json.line, key: key().clipped(to: Self.textLimit), message: message.clipped(to: Self.textLimit))
    )
  }

  /// Adds what was found elsewhere.
  mutating func add(_ more: ArraySlice<StyleIssue>) {
    issues += more.prefix(max(0, Self.limit - issues.count))
  }

  /// Members of the right kind, or nil with an issue where the member is of another kind.
  mutating func number(_ object: JSON, _ name: String, _ key: @autoclosure () -> String) -> Double? {
    guard let value = object[name] else { return nil }
    guard let number = value.number else {
      add(value, "\(key()).\(name)", "number expected, \(value.typeName) found")
      return nil
    }
    return number
  }

  /// A number of the style's own camera, which is held within its range when it is looked through.
  mutating func cameraNumber(_ style: JSON, _ name: String) -> Double? {
    let number = number(style, name, "style")
    if let number, let fault = CameraRange.faultOfStyle(name, number), let value = style[name] {
      add(value, name, fault)
    }
    return number
  }

  mutating func string(_ object: JSON, _ name: String, _ key: @autoclosure () -> String) -> String? {
    guard let value = object[name] else { return nil }
    guard let string = value.string else {
      add(value, "\(key()).\(name)", "string expected, \(value.typeName) found")
      return nil
    }
    return string
  }

  mutating func bool(_ object: JSON, _ name: String, _ key: @autoclosure () -> String) -> Bool? {
    guard let value = object[name] else { return nil }
    guard let bool = value.bool else {
      add(value, "\(key()).\(name)", "boolean expected, \(value.typeName) found")
      return nil
    }
    return bool
  }

  mutating func strings(_ object: JSON, _ name: String, _ key: @autoclosure () -> String) -> [String]? {
    guard let value = object[name] else { return nil }
    let strings = value.elements.compactMap(\.string)
    guard value.isArray, strings.count == value.count else {
      add(value, "\(key()).\(name)", "array of strings expected, \(value.typeName) found")
      return nil
    }
    return strings
  }

  mutating func numbers(_ object: JSON, _ name: String, count: Int, _ key: @autoclosure () -> String)
    -> [Double]?
  {
    guard let value = object[name] else { return nil }
    let numbers = value.elements.compactMap(\.number)
    guard value.isArray, numbers.count == count, value.count == count else {
      add(value, "\(key()).\(name)", "array of \(count) numbers expected, \(value.typeName) found")
      return nil
    }
    return numbers
  }
}

extension JSON {
  /// The kind as the specification's messages name it.
  package var typeName: String {
    switch kind {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
