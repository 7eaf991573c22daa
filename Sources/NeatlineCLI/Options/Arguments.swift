/// Command-line options of the forms `--name VALUE`, `--name=VALUE` and `--flag`, and what is left over.
struct Arguments {
  private(set) var positional: [String] = []
  private var values: [String: [String]] = [:]
  private var flags: Set<String> = []

  /// Reads arguments; names not listed are errors.
  init(_ arguments: [String], values valueNames: Set<String>, flags flagNames: Set<String> = []) throws {
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      index += 1
      guard argument.hasPrefix("-"), argument.count > 1, Double(argument) == nil else {
        positional.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts[0] == "-o" ? "--output" : parts[0]
      if flagNames.contains(name), parts.count == 1 {
        flags.insert(name)
      } else if valueNames.contains(name) {
        if parts.count == 2 {
          values[name, default: []].append(parts[1])
        } else {
          guard index < arguments.count else { throw UsageError(message: "\(argument) needs a value") }
          values[name, default: []].append(arguments[index])
          index += 1
        }
      } else {
        throw UsageError(message: "unknown option \(argument)")
      }
    }
  }

  func has(_ flag: String) -> Bool { flags.contains(flag) }
  func text(_ name: String) -> String? { values[name]?.last }
  func texts(_ name: String) -> [String] { values[name] ?? [] }

  func number(_ name: String) throws -> Double? {
    guard let text = text(name) else { return nil }
    guard let number = Double(text), number.isFinite else { throw UsageError(message: "\(name): \"\(text)\" is not a number") }
    return number
  }

  func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(message: "\(name): \"\(text)\" is not a whole number within \(range.lowerBound)...\(range.upperBound)")
    }
    return number
  }

  /// Two numbers with a separator between them.
  func pair(_ name: String, _ separator: Character) throws -> (Double, Double)? {
    guard let text = text(name) else { return nil }
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }
    guard parts.count == 2, numbers.count == 2, numbers.allSatisfy(\.isFinite) else {
      throw UsageError(message: "\(name): \"\(text)\" is not two numbers with '\(separator)' between them")
    }
    return (numbers[0], numbers[1])
  }

  /// Width and height: two whole numbers with an `x` between them, within 1...16384.
  func size(_ name: String) throws -> (Int, Int)? {
    guard let text = text(name) else { return nil }
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    guard parts.count == 2, numbers.count == 2, numbers.allSatisfy({ (1...16384).contains($0) }) else {
      throw UsageError(message: "\(name): \"\(text)\" is not WxH, two whole numbers within 1...16384")
    }
    return (numbers[0], numbers[1])
  }

  /// The only positional argument.
  func only(_ what: String) throws -> String {
    guard positional.count == 1 else { throw UsageError(message: positional.isEmpty ? "\(what) is missing" : "one \(what) only, please") }
    return positional[0]
  }
}
