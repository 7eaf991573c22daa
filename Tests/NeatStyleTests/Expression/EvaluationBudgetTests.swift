import NeatBase
import NeatJSON
import NeatStyle
import NeatTestSupport
import NeatTile
import Testing

@Suite("Budgets of expressions")
struct EvaluationBudgetTests {
  private let any = ReferenceSpec.expression(.any)

  private func evaluator(bytes: Int = EvaluationBudget.standardBytes, steps: Int = 4_000_000) -> Evaluator {
    Evaluator(budget: EvaluationBudget(bytes: bytes, steps: steps))
  }

  private func value(
    _ text: String, _ evaluator: Evaluator, _ properties: String = #"{"x":"xxxxxxxxxx","n":1}"#
  ) throws -> Result<ExpressionValue, ExpressionRuntimeError> {
    let layer = try makeLayer([properties], types: [.point])
    return try compile(text, any).value(evaluator, at: .feature(0, of: layer, zoom: 0))
  }

  private func message(_ outcome: Result<ExpressionValue, ExpressionRuntimeError>) -> String? {
    if case .failure(let error) = outcome { error.message } else { nil }
  }

  /// `a` is the inner expression, doubled so many times.
  private static func doubled(
    _ inner: String, _ times: Int, by doubling: String, in body: String = #"["var","a"]"#
  )
    -> String
  {
    var text = body
    for _ in 0..<times { text = #"["let","a",\#(doubling),\#(text)]"# }
    return #"["let","a",\#(inner),\#(text)]"#
  }

  private static let x = #"["get","x"]"#
  private static let concat = #"["concat",["var","a"],["var","a"]]"#
  private static let pair = #"["semiliteral",[["var","a"],["var","a"]]]"#

  @Test(
    "What makes much out of little ends with an error that names the budget",
    arguments: [
      doubled(x, 40, by: concat),
      doubled(x, 40, by: #"["upcase",["concat",["var","a"],["downcase",["var","a"]]]]"#),
      doubled(x, 40, by: #"["join",["split",["concat",["var","a"],","],""],["var","a"]]"#),
      doubled(x, 40, by: #"["slice",["concat",["var","a"],["var","a"]],1]"#),
      doubled(x, 40, by: #"["to-string",["format",["var","a"],{},["var","a"],{}]]"#),
      doubled(x, 40, by: pair, in: #"["to-string",["var","a"]]"#),
      doubled(x, 40, by: pair, in: #"["typeof",["var","a"]]"#),
      doubled(x, 40, by: #"["semiliteral",{"a":["var","a"],"b":["var","a"]}]"#),
      doubled(x, 40, by: #"["to-string",["properties"]]"#, in: doubled(x, 40, by: concat)),
      doubled(
        x, 40,
        by: #"["concat",["number-format",["get","n"],{"min-fraction-digits":100}],["var","a"],["var","a"]]"#),
      doubled(x, 40, by: #"["to-string",["image",["concat",["var","a"],["var","a"]]]]"#),
      doubled(
        #"["split",["get","x"],""]"#, 40,
        by: #"["split",["join",["var","a"],["join",["var","a"],","]],""]"#),
    ])
  func amplification(_ text: String) throws {
    let outcome = try value(text, evaluator())
    #expect(message(outcome) == "The evaluation takes more than 16 MiB", "\(text.prefix(200))")
  }

  @Test("A string of the budget's size passes, one byte more does not")
  func exactBytes() throws {
    // The property's text is not copied; each concatenation is charged what it makes.
    let text = #"["concat",["get","x"],["get","x"]]"#
    let properties = #"{"x":"\#(String(repeating: "x", count: 500))"}"#
    guard case .success(.string(let made)) = try value(text, evaluator(bytes: 1000), properties) else {
      Issue.record("no string")
      return
    }
    #expect(made.utf8.count == 1000)
    #expect(
      message(try value(text, evaluator(bytes: 999), properties))
        == "The evaluation takes more than 999 bytes")
  }

  @Test("A budget without bound is as good as any")
  func unbounded() throws {
    let evaluator = Evaluator(budget: EvaluationBudget(bytes: .max, steps: .max))
    let text = #"["to-string",["semiliteral",[["get","x"],["concat",["get","x"],"ß"]]]]"#
    #expect(try value(text, evaluator).get() == .string(#"["xxxxxxxxxx","xxxxxxxxxxß"]"#))
  }

  @Test("Steps up to the budget pass, past it the evaluation fails")
  func exactSteps() throws {
    let items = (0..<1000).map(String.init).joined(separator: ",")
    let text = #"["in",["get","n"],["array",["get","list"]]]"#
    let properties = #"{"n":-1,"list":[\#(items)]}"#
    var least = 1
    while least < 1 << 20, message(try value(text, evaluator(steps: least), properties)) != nil { least *= 2 }
    #expect(least > 1000 && least < 16_384, "one a number, and some for reading them: \(least)")
    #expect(
      message(try value(text, evaluator(steps: 500), properties))
        == "The evaluation takes more than 500 steps")
  }

  @Test(
    "Work that is quadratic, or repeats what is long, ends within the budget of steps",
    arguments: [
      // A needle that nearly matches everywhere.
      #"["index-of",["concat",["get","half"],"y"],["get","long"]]"#,
      #"["length",["split",["get","long"],["concat",["get","half"],"y"]]]"#,
      #"["in",["concat",["get","half"],"y"],["get","long"]]"#,
      #"["concat",\#(Array(repeating: #"["to-string",["length",["get","long"]]]"#, count: 2000).joined(separator: ","))]"#,
      #"["any",\#(Array(repeating: #"[">",["get","long"],["get","same"]]"#, count: 2000).joined(separator: ","))]"#,
      #"["any",\#(Array(repeating: #"["==",["get","long"],["get","same"]]"#, count: 2000).joined(separator: ","))]"#,
      #"["any",\#(Array(repeating: #"["==",["get","long"],["get","same"],["collator",{}]]"#, count: 20).joined(separator: ","))]"#,
      #"["all",\#(Array(repeating: #"["!=",["index-of","y",["get","long"]],0]"#, count: 2000).joined(separator: ","))]"#,
    ])
  func quadratic(_ text: String) throws {
    let long = String(repeating: "x", count: 1_000_000)
    let layer = try makeLayer(
      [#"{"long":"\#(long)","half":"\#(long.dropLast(500_000))","same":"\#(long.dropLast())y"}"#])
    let evaluator = evaluator(steps: 1_000_000)
    let outcome = try compile(text, any).value(evaluator, at: .feature(0, of: layer, zoom: 0))
    #expect(message(outcome) == "The evaluation takes more than 1000000 steps", "\(text.prefix(100))")
  }

  @Test("A property that is JSON counts each time it is read")
  func jsonProperties() throws {
    let items = (0..<20_000).map(String.init).joined(separator: ",")
    let one = #"["length",["array",["get","list"]]]"#
    let properties = #"{"list":[\#(items)]}"#
    #expect(try value(one, evaluator(), properties).get() == .number(20_000))
    let many = "[\"+\"" + String(repeating: "," + one, count: 50) + "]"
    #expect(message(try value(many, evaluator(), properties)) == "The evaluation takes more than 16 MiB")
  }

  @Test("A failed evaluation does not spoil the next one, and each has a budget of its own")
  func independence() throws {
    let evaluator = evaluator(bytes: 1000)
    let good = try compile(#"["concat",["get","x"],"!"]"#, any)
    let bad = try compile(Self.doubled(Self.x, 10, by: Self.concat), any)
    let place = EvaluationPoint.layer(try makeLayer([#"{"x":"0123456789"}"#]), zoom: 0)
    for _ in 0..<300 {
      #expect(bad.string(evaluator, at: place.feature(0)) == nil)
      #expect(good.string(evaluator, at: place.feature(0)) == "0123456789!")
    }
    let overruns = evaluator.takeOverruns()
    #expect(overruns.map(\.message) == ["The evaluation takes more than 1000 bytes"], "each program once")
    #expect(evaluator.takeOverruns().isEmpty)
  }

  @Test("Filters and columns over a layer take the default where a budget is past")
  func layers() throws {
    let evaluator = evaluator(bytes: 1000)
    let layer = try makeLayer([
      #"{"x":"a"}"#, #"{"x":"\#(String(repeating: "b", count: 600))"}"#, #"{"x":"c"}"#,
    ])
    let filter = try compileFilter(#"["!=",["length",["concat",["get","x"],["get","x"]]],0]"#)
    let passed = [UInt32](unsafeUninitializedCapacity: 3) { out, count in
      count = filter.matches(evaluator, at: .layer(layer, zoom: 0), into: out)
    }
    #expect(passed == [0, 2])
    let length = try compile(#"["length",["concat",["get","x"],["get","x"]]]"#, .expression(.number))
    let numbers = [Double](unsafeUninitializedCapacity: 3) { out, count in
      length.numbers(
        evaluator, at: .layer(layer, zoom: 0), into: UnsafeMutableBufferPointer(rebasing: out[..<3]))
      count = 3
    }
    #expect(numbers[0] == 2 && numbers[1].isNaN && numbers[2] == 2)
  }

  // MARK: constants

  private func compileErrors(_ text: String, _ budget: CompilationBudget = .standard) throws -> [String] {
    switch CompiledExpression.compile(try JSON.parse(text), spec: any, budget: budget) {
    case .success: []
    case .failure(let errors): errors.errors.map(\.message)
    }
  }

  @Test(
    "Constants that grow when they are computed are errors of the compilation",
    arguments: [
      doubled(#""xxxxxxxxxx""#, 40, by: concat),
      doubled(#""xxxxxxxxxx""#, 40, by: pair, in: #"["to-string",["var","a"]]"#),
      doubled(#""x,x""#, 40, by: #"["join",["split",["var","a"],""],["var","a"]]"#),
      doubled(#""ß""#, 40, by: #"["upcase",["concat",["var","a"],["var","a"]]]"#),
    ])
  func constants(_ text: String) throws {
    #expect(try compileErrors(text) == ["The constant takes more than 1 MiB"])
  }

  @Test("Many constants that are each within bounds are an error of the expression")
  func manyConstants() throws {
    let large = Self.doubled(#""x""#, 19, by: Self.concat)
    #expect(try compileErrors(large).isEmpty)
    let many = "[\"concat\",[\"get\",\"x\"]" + String(repeating: "," + large, count: 20) + "]"
    #expect(try compileErrors(many) == ["The constants of the expression take more than 8 MiB"])
  }

  @Test("The constants of a style have a common budget")
  func styleConstants() throws {
    let large = Self.doubled(#""x""#, 19, by: Self.concat)
    func style(_ count: Int) throws -> Style {
      let layers = (0..<count).map {
        #"{"id":"\#($0)","type":"symbol","source":"s","layout":{"text-field":\#(large)}}"#
      }
      return try Style(
        json: JSON.parse(
          #"{"version":8,"sources":{"s":{"type":"geojson","data":{}}},"layers":[\#(layers.joined(separator: ","))]}"#
        ))
    }
    #expect(try style(10).issues.isEmpty)
    let issues = try style(200).issues
    #expect(issues.first?.message == "The style takes more than 64 MiB for values of expressions")
  }

  @Test("Legacy filters share one budget")
  func legacyFilters() throws {
    let large = Self.doubled(#""x""#, 19, by: Self.concat)
    let part = #"["==",["get","x"],\#(large)]"#
    let filter = #"["all",["==","a",1]"# + String(repeating: "," + part, count: 20) + "]"
    guard case .failure(let errors) = CompiledFilter.compile(try JSON.parse(filter)) else {
      Issue.record("compiled")
      return
    }
    #expect(errors.errors.map(\.message) == ["The constants of the expression take more than 8 MiB"])
  }

  @Test("Literals that are read again and again are an error")
  func repeatedLiterals() throws {
    let labels = (0..<20_000).map { "\"\($0)\"" }.joined(separator: ",")
    let inner = #"["in","a",["literal",[\#(labels)]]]"#
    var text = #"["all",\#(inner),["nope"]]"#
    for _ in 0..<12 { text = #"["all",\#(text),true]"# }
    #expect(try compileErrors(text).count == 1)
  }

  // MARK: the work around

  @Test("Evaluations of one work share its steps, and fail when they are spent")
  func sharedSteps() throws {
    let ledger = WorkLedger("image", WorkBudget(bytes: 1000, steps: 300_000))
    let evaluator = Evaluator()
    evaluator.ledger = ledger
    let upper = try compile(#"["upcase",["get","x"]]"#, any)
    let layer = try makeLayer([#"{"x":"\#(String(repeating: "x", count: 100_000))"}"#])
    let place = EvaluationPoint.layer(layer, zoom: 0)
    var count = 0
    while count < 1000, upper.string(evaluator, at: place.feature(0)) != nil { count += 1 }
    #expect((30...60).contains(count), "6250 steps each: \(count)")
    #expect(ledger.end == .steps)
    #expect(
      message(upper.value(evaluator, at: place.feature(0)))
        == "The expressions of the image take more than 300000 steps")
    // What costs nothing still has its value.
    #expect(try compile(#"["get","x"]"#, any).value(evaluator, at: .camera(zoom: 0)).get() == .null)
    let other = Evaluator()
    other.ledger = ledger
    #expect(upper.string(other, at: place.feature(0)) == nil, "on other threads too")
  }

  @Test("A deadline ends evaluations that are under way")
  func deadline() throws {
    let clock = Locked(0)
    let ledger = WorkLedger("image", WorkBudget(bytes: .max, steps: .max)) {
      clock.withLock {
        $0 += 1
        return $0 > 3
      }
    }
    let evaluator = Evaluator(budget: EvaluationBudget(bytes: 1 << 30, steps: .max))
    evaluator.ledger = ledger
    let text =
      #"["concat",\#(Array(repeating: #"["to-string",["length",["get","long"]]]"#, count: 2000).joined(separator: ","))]"#
    let layer = try makeLayer([#"{"long":"\#(String(repeating: "x", count: 100_000))"}"#])
    let outcome = try compile(text, any).value(evaluator, at: .feature(0, of: layer, zoom: 0))
    #expect(message(outcome) == "The time for the image is over")
    #expect(clock.withLock { $0 } == 4, "the clock is not asked again")
  }

  @Test("Loops over features end with the work")
  func loops() throws {
    let evaluator = Evaluator()
    #expect((0..<1024).allSatisfy { _ in evaluator.mayContinue() }, "without a ledger they go on")
    let clock = Locked(0)
    evaluator.ledger = WorkLedger("image", WorkBudget(bytes: 0, steps: 1000)) {
      clock.withLock {
        $0 += 1
        return $0 > 10
      }
    }
    let count = (0..<100_000).first { _ in !evaluator.mayContinue() }
    #expect(count.map { (1000..<1600).contains($0) } == true, "they look at the clock each 128 features")
    #expect(!evaluator.mayContinue())
  }

  @Test("Bytes that a work keeps are bounded by its budget")
  func keptBytes() throws {
    let evaluator = Evaluator()
    let ledger = WorkLedger("image", WorkBudget(bytes: 1_000_000, steps: .max))
    evaluator.ledger = ledger
    #expect((0..<1000).allSatisfy { _ in evaluator.keep(bytes: 1000) })
    evaluator.settleWork()
    #expect(ledger.end == nil, "the budget to the byte")
    #expect(!(0..<200).allSatisfy { _ in evaluator.keep(bytes: 1000) })
    #expect(ledger.error(.bytes).code == .limitExceeded)
    #expect(ledger.message(.bytes) == "The image takes more than 1000000 bytes for values of expressions")
  }

  @Test("The budgets are far from what styles in use take")
  func stylesInUse() throws {
    guard let root = SharedFiles.path("data/styles") else { return }
    var budget = CompilationBudget(
      constant: EvaluationBudget(bytes: 10_000, steps: 10_000),
      expression: EvaluationBudget(bytes: 50_000, steps: 50_000))
    for file in SharedFiles.find(".json", in: root) {
      let style = try JSON.parse(try #require(SharedFiles.read(file)))
      budget.ledger = WorkLedger("style", WorkBudget(bytes: 1_000_000, steps: 1_000_000))
      for layer in style["layers"].map({ Array($0.elements) }) ?? [] {
        for group in ["layout", "paint"] {
          for (name, value) in layer[group].map({ Array($0.members) }) ?? [] {
            for owner in PropertyOwner.allCases {
              guard let property = PropertySpec.find(name, of: owner) else { continue }
              if case .failure(let error) = PropertyValue.compile(value, for: property, budget) {
                #expect(!error.message.contains("more than"), "\(file) \(name): \(error.message)")
              }
              break
            }
          }
        }
      }
    }
  }
}
