import NeatBase
import NeatJSON
import NeatStyle
import NeatTestSupport
import Testing

@Suite("The specification's expression suite")
struct ExpressionSuiteTests {
  /// Cases that are known to fail, with the reason.
  static let knownFailures: Set<String> = []

  /// Numbers cut to six significant figures, twice, so that a cut number stays what it is.
  static func cut(_ value: Double) -> Double {
    if value == 0 || !value.isFinite { return value }
    let scale = pow(10, max(0, 6 - log10(value.magnitude).rounded(.up)))
    return ((value * scale).rounded(.down) / scale * scale).rounded(.down) / scale
  }

  static func isSame(_ a: JSON, _ b: JSON) -> Bool {
    if let x = a.number, let y = b.number {
      return cut(x) == cut(y) || (x - y).magnitude <= 1e-12 * x.magnitude
    }
    guard a.kind == b.kind, a.count == b.count else { return false }
    switch a.kind {
    case .array: return zip(a.elements, b.elements).allSatisfy { isSame($0, $1) }
    case .object:
      return a.members.allSatisfy { member in b[member.key].map { isSame(member.value, $0) } ?? false }
    default: return a == b
    }
  }

  @Test("Every case compiles, or fails to, and evaluates as expected")
  func suite() throws {
    guard let root = SharedFiles.path("conformance/expression") else {
      print("expression suite: not beside this checkout, skipped")
      return
    }
    var passed = 0
    var failed: [String] = []
    let files = SharedFiles.find("test.json", in: root)
    for file in files {
      let name = String(file.dropFirst(root.count + 1).dropLast("/test.json".count))
      let test = try JSON.parse(try #require(SharedFiles.read(file)))
      let outcome = ExpressionCase.run(test)
      if isExpected(outcome, test) {
        passed += 1
        if Self.knownFailures.contains(name) { Issue.record("\(name) passes, but is listed as failing") }
      } else {
        failed.append(name)
        if !Self.knownFailures.contains(name) {
          Issue.record("\(name)\n  expected \(test["expected"]?.text ?? "")\n  found    \(outcome.text)")
        }
      }
    }
    print("expression suite: \(passed) of \(files.count) pass")
  }

  private func isExpected(_ outcome: JSON, _ test: JSON) -> Bool {
    guard let expected = test["expected"], let compiled = expected["compiled"],
      let found = outcome["compiled"],
      Self.isSame(compiled, found)
    else { return false }
    guard let outputs = expected["outputs"] else { return true }
    return outcome["outputs"].map { Self.isSame(outputs, $0) } ?? false
  }
}
