import NeatBase
import NeatFormat
import NeatJSON
import NeatStyle
import Testing

@Suite("Limits of format strings")
struct FormatStringLimitTests {
  private func limit(_ format: String, _ arguments: String = "[]") throws -> String {
    let error = try #require(throws: FormatStringError.self, "\(format.prefix(40))") {
      try convert(format, arguments)
    }
    #expect(error.kind == .limit, "\(error)")
    return error.message
  }

  @Test(
    "Nesting up to the limit becomes an expression, past it is an error",
    arguments: [
      ("(", "a", ")", 99), ("{", "1", "}", 99), ("-", "a", "", 99), ("NOT ", "(a = 1)", "", 97),
      ("!", "a = 1", "", 98),
      ("sqrt(", "a", ")", 99),
      ("TERNARY(a = 1, 2, ", "3", ")", 98), ("a[", "0", "]", 98), ("MGL_LET('v', ", "1", ", $v)", 98),
      ("mgl_join({", "a", "})", 49),
      ("(a - ", "a", ")", 98),
      ("MGL_IF(", "a = 1", ", b = 1, NO)", 97),
    ])
  func depth(_ open: String, _ inner: String, _ close: String, _ depth: Int) throws {
    func nested(_ depth: Int) -> String {
      String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
    }
    let text = try convert(nested(depth))
    // What is within the limits compiles, too.
    if !text.hasPrefix("[\"literal\"") {
      _ = try CompiledExpression.compileExpression(JSON.parse(text), spec: ReferenceSpec.expression(.any))
        .get()
    }
    #expect(try limit(nested(FormatStringLimits.depth + 1)).contains("deeper"))
    #expect(try limit(nested(50_000)).contains("deeper"))
  }

  @Test("What follows an operand nests as well")
  func postfixes() throws {
    #expect(try limit("a" + String(repeating: ".b", count: 100)).contains("deeper"))
    #expect(try limit("a" + String(repeating: "[0]", count: 100)).contains("deeper"))
    #expect(try limit("$zoomLevel" + String(repeating: ".b", count: 100)).contains("deeper"))
    #expect(try limit("%K", #"["a\#(String(repeating: ".b", count: 100))"]"#).contains("deeper"))
    #expect(try limit("1" + String(repeating: " - 1", count: 100)).contains("deeper"))
  }

  @Test("Sums, products, ANDs and ORs of many operands do not nest")
  func chains() throws {
    for (symbol, operand) in [("+", "1"), ("*", "a"), ("AND", "a = 1"), ("||", "a = 1")] {
      let text = Array(repeating: operand, count: FormatStringLimits.operands).joined(
        separator: " \(symbol) ")
      #expect(try JSON.parse(convert(text)).count == FormatStringLimits.operands + 1)
      #expect(try limit(text + " \(symbol) " + operand).contains("operands in one place"))
    }
  }

  @Test("Lists, arguments, stops and nodes are limited in number")
  func counts() throws {
    let count = FormatStringLimits.operands
    func list(_ count: Int) -> String { Array(repeating: "1", count: count).joined(separator: ",") }
    #expect(try JSON.parse(convert("{\(list(count))}"))[1]?.count == count)
    _ = try limit("{\(list(count + 1))}")
    #expect(try limit("a = 1", "[\(list(count + 1))]").contains("arguments"))
    // A long array argument is data, and as such not limited.
    #expect(try convert("a IN %@", "[[\(list(50_000))]]", .predicate).utf8.count > 100_000)
    let stops = (0...count).map { "\"\($0)\":1" }.joined(separator: ",")
    #expect(try limit("mgl_step:from:stops:(x, 1, %@)", "[{\(stops)}]").contains("stops"))
    let groups = Array(repeating: "{\(list(9_990))}", count: 11).joined(separator: ",")
    #expect(try limit("{\(groups)}").contains("operands and operators"))
  }

  @Test("Text and result are limited in bytes")
  func bytes() throws {
    let text = "'" + String(repeating: "x", count: FormatStringLimits.bytes - 2) + "'"
    #expect(try convert(text).utf8.count == FormatStringLimits.bytes)
    #expect(try limit(text + " ").contains("bytes"))
    let argument = String(repeating: "x", count: 1 << 20)
    func many(_ count: Int) -> String {
      "{" + Array(repeating: "%1$@", count: count).joined(separator: ",") + "}"
    }
    #expect(try convert(many(15), #"["\#(argument)"]"#).utf8.count > 15 << 20)
    #expect(try limit(many(17), #"["\#(argument)"]"#).contains("arguments are more than"))
    let key = String(repeating: "\\\"", count: 1 << 19)
    #expect(try limit(many(20), #"["\#(key)"]"#).contains("longer"))
    let list = Array(repeating: "1", count: 100_000).joined(separator: ",")
    #expect(try limit(many(9_000), "[[\(list)]]").contains("arguments are more than"))
    let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    #expect(try limit("%@", "[\(deep)]").contains("deeper"))
  }

  @Test("Numbers are limited in size")
  func numbers() throws {
    #expect(try convert("0x1FFFFFFFFFFFFF") == "9007199254740991")
    #expect(try convert("1e308") == "1e+308")
    for text in [
      "1e309", "0x3FFFFFFFFFFFFFF", "0b" + String(repeating: "1", count: 80),
      String(repeating: "9", count: 400),
    ] {
      #expect(try limit(text).contains("number"))
    }
  }

  @Test("Values that are used twice are converted once, however deep they stand in each other")
  func sharing() throws {
    for (open, close) in [
      ("TERNARY(", " + 1 BETWEEN {1, 2}, 1, 2)"), ("trunc(1 + ", ")"),
      ("TERNARY(ANY {1, 2, 3} < ", " + 1, 1, 2)"),
      ("TERNARY(1 + ", " IN {a, b, c}, 1, 2)"),
      ("TERNARY(CAST(", ", 'NSString') ENDSWITH name, 1, 2)"), ("MGL_MATCH(1 + ", ", 0.5, 1, 2.5, 2, 3)"),
      ("a[", "][0]"), ("{a}[", "]"),
    ] {
      let text = String(repeating: open, count: 20) + "x" + String(repeating: close, count: 20)
      #expect(try convert(text).utf8.count < 40_000, "\(open)")
    }
  }

  @Test("Random bytes, tokens and mutations never trap, and what comes out compiles or says why")
  func fuzz() throws {
    var random = FormatFuzzer(seed: 20_261_121)
    var converted = 0
    for round in 0..<20_000 {
      let text = round % 6 == 0 ? random.bytes() : round % 6 == 1 ? random.tokens() : random.mutation()
      let arguments = try JSON.parse(random.arguments(for: text))
      let kind: FormatString.Kind = random.below(2) == 0 ? .expression : .predicate
      do throws(FormatStringError) {
        let result = try FormatString.convert(text, arguments: arguments, as: kind)
        converted += 1
        let json = try? JSON.parse(result)
        #expect(json != nil, "\(String(decoding: text, as: UTF8.self))")
        if let json, kind == .predicate {
          #expect(CompiledFilter.isExpression(json), "\(String(decoding: text, as: UTF8.self))")
          _ = CompiledFilter.compile(json)
        } else if let json {
          _ = CompiledExpression.compileExpression(json, spec: ReferenceSpec.expression(.any))
        }
      } catch {
        #expect(error.offset >= 0 && error.offset <= text.count && !error.message.isEmpty)
      }
    }
    #expect(converted > 2000)
  }
}

/// Makes format strings of all kinds, the same for a seed.
private struct FormatFuzzer {
  private var state: UInt64
  private let corpus: [[UInt8]]

  init(seed: UInt64) {
    state = seed
    let rows =
      FormatRows.comparisons + FormatRows.compounds + FormatRows.aggregates + FormatRows.options
      + FormatRows.strings + FormatRows.operands
      + FormatRows.variables + FormatRows.functions + FormatRows.mapFunctions + FormatRows.customFunctions
    corpus = rows.map { Array($0.format.utf8) }
  }

  mutating func below(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % max(1, count)
  }

  private static let words = [
    "a", "b.c", "$x", "$zoomLevel", "SELF", "nil", "YES", "1", "-2", "0.5", "'x'", "\"y\"", "%@", "%K", "%d",
    "%1$@", "(", ")", "{", "}",
    "[", "]", ",", ".", "+",
    "-", "*", "/", "**", "=", "==", "!=", "<", ">", "<=", "=>", "<>", "&&", "||", "!", "AND", "OR", "NOT",
    "ANY", "ALL", "NONE", "IN",
    "CONTAINS", "BETWEEN",
    "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "[c]", "[cd]", "FIRST", "LAST", "SIZE", "@count", "@avg",
    "#in", "sqrt(", "sum({",
    "MGL_LET(", "MGL_IF(",
    "MGL_MATCH(", "MGL_FUNCTION('get',", "TERNARY(", "CAST(", "'NSNumber')", "FUNCTION(", "'mgl_has:',",
    "mgl_join({", "mgl_coalesce({",
    "mgl_step:from:stops:(",
    "mgl_interpolate:withCurveType:parameters:stops:(", "'linear', nil,", "{{0, 1}, {5, 2}})", "\\", "'", "é",
    "🧀",
  ]

  mutating func bytes() -> [UInt8] {
    (0..<below(24)).map { _ in UInt8(below(4) == 0 ? below(256) : 32 + below(95)) }
  }

  mutating func tokens() -> [UInt8] {
    let space = below(8) > 0 ? " " : ""
    return Array(
      (0..<below(16)).map { _ in FormatFuzzer.words[below(FormatFuzzer.words.count)] }.joined(
        separator: space
      ).utf8)
  }

  /// A row with bytes changed, left out or doubled, or two of them spliced.
  mutating func mutation() -> [UInt8] {
    var text = corpus[below(corpus.count)]
    for _ in 0..<below(4) {
      if text.isEmpty { break }
      let place = below(text.count)
      switch below(5) {
      case 0: text[place] = UInt8(32 + below(95))
      case 1: text.remove(at: place)
      case 2: text.insert(contentsOf: FormatFuzzer.words[below(FormatFuzzer.words.count)].utf8, at: place)
      case 3: text = Array(text[..<place] + corpus[below(corpus.count)])
      default: text += Array(" AND ".utf8) + corpus[below(corpus.count)]
      }
    }
    return text
  }

  /// As many arguments as there are placeholders, or nearly so.
  mutating func arguments(for text: [UInt8]) -> String {
    let values = [
      "1", "\"x\"", "null", "true", "[1,2]", "[[0,1],[5,2]]", "{\"0\":1,\"10\":2}", "{\"a\":1}",
      "{\"$color\":\"red\"}",
      "{\"$expression\":[\"get\",\"x\"]}",
      "{\"$expression\":5}", "{\"type\":\"Point\",\"coordinates\":[0,0]}", "\"a.b\"",
      "{\"expression\":\"x\"}",
      "[{\"$expression\":[\"zoom\"]}]",
    ]
    return "["
      + (0..<max(0, text.count { $0 == 0x25 } + (below(6) == 0 ? below(3) - 1 : 0))).map { _ in
        values[below(values.count)]
      }.joined(
        separator: ",") + "]"
  }
}
