import Neatline

/// Random expressions of a type, and values to evaluate them with. Most are right; some are wrong on purpose,
/// and must be refused by both readings.
struct RandomExpression {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  enum Kind: CaseIterable { case number, string, boolean, color, value }

  mutating func below(_ limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int((state >> 11) % UInt64(limit))
  }

  mutating func pick<T>(_ items: [T]) -> T { items[below(items.count)] }

  static let keys = ["n", "m", "s", "t", "b", "mix", "list", "none"]
  static let words = [
    "", "a", "b", "abc", "Straße", "12", " 7 ", "1e3", "x1", "#f00", "rgba(0, 0, 255, 0.5)", "motorway", "Ω",
    "日本",
  ]
  static let numbers: [Double] = [0, 1, -1, 2, 3, 0.5, -0.25, 7, 12, 100, 1e-7, 1e21, 123456.789, 255]

  mutating func number() -> Double { pick(RandomExpression.numbers) }

  /// A feature's properties: not every feature has every key, and `mix` is of every type.
  mutating func properties() -> JSONValue {
    var members: [JSONValue.Member] = []
    func add(_ key: String, _ value: JSONValue) { members.append(.init(key, value)) }
    if below(8) > 0 { add("n", .number(number())) }
    if below(8) > 0 { add("m", .number(Double(below(5)))) }
    if below(8) > 0 { add("s", .string(pick(RandomExpression.words))) }
    if below(8) > 0 { add("t", .string(pick(["a", "b", "c"]))) }
    if below(8) > 0 { add("b", .bool(below(2) == 0)) }
    switch below(6) {
    case 0: add("mix", .null)
    case 1: add("mix", .bool(true))
    case 2: add("mix", .number(number()))
    case 3: add("mix", .string(pick(RandomExpression.words)))
    case 4: add("mix", ["a", 1, nil])
    default: break
    }
    if below(2) == 0 { add("list", .array((0..<below(4)).map { _ in .number(Double(below(4))) })) }
    return .object(members)
  }

  mutating func expression(_ kind: Kind, depth: Int) -> JSONValue {
    // Once in a while something of another type.
    let kind = below(60) == 0 ? pick(Kind.allCases) : kind
    if depth <= 0 || below(6) == 0 { return leaf(kind) }
    switch below(8) {
    case 0: return control(kind, depth: depth)
    case 1:
      return ["let", "v", expression(pick(Kind.allCases), depth: depth - 1), bound(kind, depth: depth - 1)]
    default: break
    }
    switch kind {
    case .number: return numeric(depth)
    case .string: return textual(depth)
    case .boolean: return logical(depth)
    case .color: return colored(depth)
    case .value: return expression(pick([.number, .string, .boolean]), depth: depth)
    }
  }

  /// An expression that reads the variable `v`, whatever it is.
  private mutating func bound(_ kind: Kind, depth: Int) -> JSONValue {
    switch kind {
    case .string: ["concat", ["to-string", ["var", "v"]], expression(.string, depth: depth)]
    case .boolean: ["any", ["to-boolean", ["var", "v"]], expression(.boolean, depth: depth)]
    default:
      [
        "case", ["to-boolean", ["var", "v"]], expression(kind, depth: depth), expression(kind, depth: depth),
      ]
    }
  }

  private mutating func leaf(_ kind: Kind) -> JSONValue {
    switch kind {
    case .number:
      switch below(4) {
      case 0: .number(number())
      case 1: ["get", .string(pick(["n", "m", "none"]))]
      case 2: ["number", ["get", .string(pick(["n", "mix"]))], .number(number())]
      default: ["to-number", ["get", .string(pick(["n", "s", "b"]))], 3]
      }
    case .string:
      switch below(4) {
      case 0: .string(pick(RandomExpression.words))
      case 1: ["get", .string(pick(["s", "t"]))]
      case 2: ["geometry-type"]
      default: ["to-string", ["get", .string(pick(RandomExpression.keys))]]
      }
    case .boolean:
      switch below(4) {
      case 0: .bool(below(2) == 0)
      case 1: ["has", .string(pick(RandomExpression.keys))]
      case 2: ["get", "b"]
      default: ["to-boolean", ["get", .string(pick(RandomExpression.keys))]]
      }
    case .color:
      switch below(3) {
      case 0:
        .string(
          pick([
            "#f00", "#00ff0080", "rgb(1, 2, 3)", "white", "hsl(120, 50%, 50%)", "hsla(340, 100%, 25%, 0.5)",
          ]))
      case 1: ["to-color", ["get", "s"], "#123456"]
      default:
        ["rgba", .number(Double(below(256))), 0, .number(Double(below(256))), .number(Double(below(5)) / 4)]
      }
    case .value: below(8) == 0 ? ["get", ["get", "t"]] : ["get", .string(pick(RandomExpression.keys))]
    }
  }

  private mutating func control(_ kind: Kind, depth: Int) -> JSONValue {
    func output(_ random: inout RandomExpression) -> JSONValue { random.expression(kind, depth: depth - 1) }
    switch below(5) {
    case 0: return ["case", expression(.boolean, depth: depth - 1), output(&self), output(&self)]
    case 1:
      return [
        "match", ["get", .string(pick(["t", "s", "mix"]))], "a", output(&self), ["b", "motorway"],
        output(&self), output(&self),
      ]
    case 2:
      return [
        "match", expression(.number, depth: depth - 1), 1, output(&self), [2, 3, 12], output(&self),
        output(&self),
      ]
    case 3:
      return [
        "step", expression(.number, depth: depth - 1), output(&self), 0, output(&self), 2.5, output(&self),
      ]
    default: return ["coalesce", expression(.value, depth: 0), output(&self), output(&self)]
    }
  }

  private mutating func numeric(_ depth: Int) -> JSONValue {
    func part(_ random: inout RandomExpression) -> JSONValue { random.expression(.number, depth: depth - 1) }
    switch below(7) {
    case 0: return [.string(pick(["+", "*", "min", "max"])), part(&self), part(&self), part(&self)]
    case 1: return [.string(pick(["-", "/", "%", "^"])), part(&self), part(&self)]
    case 2:
      return [
        .string(
          pick(["sqrt", "ln", "log10", "log2", "abs", "round", "floor", "ceil", "sin", "cos", "atan", "-"])),
        part(&self),
      ]
    case 3: return ["length", below(2) == 0 ? expression(.string, depth: depth - 1) : ["get", "list"]]
    case 4:
      // Powers may differ in the last digit, which `to-string` would print.
      let curve: JSONValue = ["linear"]
      return ["interpolate", curve, part(&self), -1, part(&self), 3, part(&self), 10, part(&self)]
    case 5: return ["at", .number(Double(below(3))), ["array", "number", ["get", "list"]]]
    default: return ["at", .number(Double(below(4))), ["to-rgba", expression(.color, depth: depth - 1)]]
    }
  }

  private mutating func textual(_ depth: Int) -> JSONValue {
    switch below(4) {
    case 0: ["concat", expression(.value, depth: depth - 1), "-", expression(.string, depth: depth - 1)]
    case 1: [.string(pick(["upcase", "downcase"])), expression(.string, depth: depth - 1)]
    case 2: ["to-string", expression(pick(Kind.allCases), depth: depth - 1)]
    default: ["typeof", expression(.value, depth: depth - 1)]
    }
  }

  private mutating func logical(_ depth: Int) -> JSONValue {
    func part(_ random: inout RandomExpression) -> JSONValue { random.expression(.boolean, depth: depth - 1) }
    switch below(7) {
    case 0: return ["all", part(&self), part(&self), part(&self)]
    case 1: return ["any", part(&self), part(&self)]
    case 2: return ["!", part(&self)]
    case 3:
      let kind = pick([Kind.number, .string, .boolean, .value])
      return [
        .string(pick(["==", "!="])), expression(kind, depth: depth - 1),
        expression(pick([kind, .value]), depth: depth - 1),
      ]
    case 4:
      let kind = pick([Kind.number, .string])
      return [
        .string(pick(["<", "<=", ">", ">="])), expression(kind, depth: depth - 1),
        expression(pick([kind, .value]), depth: depth - 1),
      ]
    case 5: return ["in", expression(.value, depth: 0), ["literal", ["a", 1, true, "motorway", nil]]]
    // A bare string first would make a filter a legacy one.
    default:
      return [
        "in", ["to-string", expression(.string, depth: depth - 1)], expression(.string, depth: depth - 1),
      ]
    }
  }

  private mutating func colored(_ depth: Int) -> JSONValue {
    switch below(3) {
    case 0: ["to-color", expression(.color, depth: depth - 1)]
    case 1: ["rgb", expression(.number, depth: depth - 1), 10, .number(Double(below(300)))]
    default:
      [
        "interpolate", ["linear"], expression(.number, depth: depth - 1), 0,
        expression(.color, depth: depth - 1), 10,
        expression(.color, depth: depth - 1),
      ]
    }
  }

  /// A curve over the zoom around expressions of the kind.
  mutating func overZoom(_ kind: Kind, depth: Int) -> JSONValue {
    let outputs = (0..<3).map { _ in expression(kind, depth: depth) }
    if (kind == .number || kind == .color) && below(2) == 0 {
      // Bézier curves are solved to a millionth: only here, where nothing compares what comes of them.
      let curve: JSONValue = pick([["linear"], ["exponential", 1.4], ["cubic-bezier", 0.2, 0.4, 0.6, 0.9]])
      return ["interpolate", curve, ["zoom"], 3, outputs[0], 8, outputs[1], 12.5, outputs[2]]
    }
    return ["step", ["zoom"], outputs[0], 5, outputs[1], 9.5, outputs[2]]
  }

  /// A filter in the legacy form.
  mutating func legacyFilter(depth: Int) -> JSONValue {
    if depth > 0, below(3) > 0 {
      return .array(
        [.string(pick(["all", "any", "none"]))] + (0..<below(4)).map { _ in legacyFilter(depth: depth - 1) })
    }
    let key = JSONValue.string(pick(["n", "m", "s", "t", "b", "mix", "none", "$type"]))
    let value: JSONValue = pick(["a", "motorway", "Point", .number(number()), true, nil])
    switch below(5) {
    case 0: return [.string(pick(["has", "!has"])), key]
    case 1:
      return .array([
        .string(pick(["in", "!in"])), key, value, .string(pick(RandomExpression.words)), .number(number()),
      ])
    case 2:
      let ordered: JSONValue = below(2) == 0 ? .string(pick(RandomExpression.words)) : .number(number())
      return [.string(pick(["<", "<=", ">", ">="])), key == "$type" ? "n" : key, ordered]
    default: return [.string(pick(["==", "!="])), key, value]
    }
  }

  /// A legacy function for a number or a colour.
  mutating func legacyFunction(_ kind: Kind) -> JSONValue {
    func output(_ random: inout RandomExpression) -> JSONValue {
      kind == .color ? .string(random.pick(["#f00", "#00ff0080", "white"])) : .number(random.number())
    }
    let base = JSONValue.number(pick([1, 1.4, 0.5]))
    switch below(5) {
    case 0: return ["base": base, "stops": [[2, output(&self)], [8, output(&self)], [14, output(&self)]]]
    case 1:
      return [
        "property": "n", "base": base, "stops": [[0, output(&self)], [5, output(&self)]],
        "default": output(&self),
      ]
    case 2:
      return [
        "property": "t", "type": "categorical", "stops": [["a", output(&self)], ["b", output(&self)]],
        "default": output(&self),
      ]
    case 3:
      return [
        "property": "m", "type": "interval",
        "stops": [[0, output(&self)], [2, output(&self)], [3, output(&self)]],
      ]
    default:
      return [
        "property": "n", "base": base, "default": output(&self),
        "stops": [
          [["zoom": 3, "value": 0], output(&self)], [["zoom": 3, "value": 9], output(&self)],
          [["zoom": 11, "value": 0], output(&self)],
          [["zoom": 11, "value": 100], output(&self)],
        ],
      ]
    }
  }
}
