import NeatABI
import NeatBase
import NeatJSON
import NeatMap
import NeatTestSupport
import Testing

/// The public query cases: what GL JS answers for a point or box.
@Suite struct QuerySuiteTests {
  @Test func publicCasesGiveTheExpectedFeatures() throws {
    guard let root = SharedSuites.root else {
      print("no shared suites beside the package: skipped")
      return
    }
    var passed = 0
    var failed: [String] = []
    for category in SharedSuites.list(root + "/conformance/query") {
      let folder = "\(root)/conformance/query/\(category)"
      for name in SharedSuites.list(folder) {
        guard let style = SharedFiles.read("\(folder)/\(name)/style.json") else { continue }
        let expected = try JSON.parse(SharedFiles.read("\(folder)/\(name)/expected.json")!)
        let fault = try QuerySuiteTests.fault(try JSON.parse(style), expected)
        if let fault {
          failed.append("\(category)/\(name)")
          print("\(category)/\(name): \(fault)")
        } else {
          passed += 1
        }
      }
    }
    print("query cases: \(passed) pass of \(passed + failed.count)")
    #expect(failed.isEmpty)
  }

  /// What is wrong with the answer to a case, or nil.
  static func fault(_ style: JSON, _ expected: JSON) throws -> String? {
    var map = try SuiteMap(style)
    try map.load()
    if let operations = map.test["operations"] {
      for operation in operations.elements { try map.run(operation) }
    }
    try map.load()
    guard let asked = map.test["queryGeometry"] else { return "no query" }
    func point(_ json: JSON) -> SIMD2<Double> {
      SIMD2(json[0]!.number!, json[1]!.number!) * map.size.pixelRatio
    }
    let area: QueryArea = asked[0]!.isArray ? .box(point(asked[0]!), point(asked[1]!)) : .point(point(asked))
    let options = try map.test["queryOptions"].map { try QueryOptions($0) } ?? QueryOptions()
    let answer = try JSON.parse(map.core.query(try map.transform, area, options: options).json())
    return difference(answer, expected)
  }

  /// Where two answers differ. `layer` is compared only where it is expected.
  static func difference(_ answer: JSON, _ expected: JSON) -> String? {
    if answer.count != expected.count { return "\(answer.count) features, expected \(expected.count)" }
    for (index, (found, wanted)) in zip(answer.elements, expected.elements).enumerated() {
      for (name, value) in wanted.members where !equal(found[name], name == "layer" ? value["id"]! : value) {
        return
          "feature \(index): \(name) \(found[name]?.text.prefix(160) ?? "none"), expected \(value.text.prefix(160))"
      }
      for (name, value) in found.members where wanted[name] == nil && name != "layer" {
        return "feature \(index): \(name) \(value.text)"
      }
    }
    return nil
  }

  /// Whether values agree, numbers to ten significant figures.
  static func equal(_ a: JSON?, _ b: JSON) -> Bool {
    guard let a, a.kind == b.kind else { return false }
    switch b.kind {
    case .number: return abs(a.number! - b.number!) <= 1e-10 * max(abs(a.number!), abs(b.number!), 1e-9)
    case .array: return a.count == b.count && zip(a.elements, b.elements).allSatisfy { equal($0, $1) }
    case .object: return a.count == b.count && b.members.allSatisfy { equal(a[$0.key], $0.value) }
    default: return a == b
    }
  }
}
