import Neatline

enum ExpressionSuite {
  static func cases(_ setting: Setting) -> [Case] {
    Files.folders(holding: "test.json", below: setting.directory).map { name in
      Case(name: name) {
        let text = try Files.text("\(setting.directory)/\(name)/test.json")
        let test = try JSONValue(parsing: text)
        guard let expected = test["expected"] else { throw Failure("no expected member") }
        let result = try CompiledExpression.run(case: text)
        let compiled = expected["compiled"] ?? .null
        if let found = JSONCompare.difference(compiled, result["compiled"], at: "compiled") {
          throw Failure(found)
        }
        guard compiled["result"]?.string == "success", let outputs = expected["outputs"] else { return }
        if let found = JSONCompare.difference(outputs, result["outputs"], digits: 6, at: "outputs") {
          throw Failure(found)
        }
      }
    }
  }
}

enum ValidationSuite {
  static func cases(_ setting: Setting) -> [Case] {
    Files.list(setting.directory).filter { $0.hasSuffix(".input.json") }.map { file in
      let name = String(file.dropLast(".input.json".count))
      return Case(name: name) {
        let found = try validateStyle(try Files.text("\(setting.directory)/\(file)")).map {
          message(line: $0.line ?? 0, $0.message)
        }
        let expected =
          try JSONValue(parsing: Files.read("\(setting.directory)/\(name).output.json")).array ?? []
        let wanted = expected.map { message(line: Int($0["line"]?.number ?? 0), $0["message"]?.string ?? "") }
        if let missing = wanted.first(where: { !found.contains($0) }) { throw Failure("missing: \(missing)") }
        if let extra = found.first(where: { !wanted.contains($0) }) {
          throw Failure("not expected: \(extra)")
        }
        if found != wanted { throw Failure("the messages are in another order: \(found)") }
      }
    }
  }

  private static func message(line: Int, _ text: String) -> String {
    line > 0 ? "line \(line): \(text)" : text
  }
}
