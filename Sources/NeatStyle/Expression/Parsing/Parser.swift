import NeatBase
import NeatJSON

// The parser turns JSON into typed nodes: it infers types, inserts assertions and coercions, and folds
// constants as soon as it sees them. Messages and their keys are those of the style specification.

/// Limits of an expression.
package enum ExpressionLimits {
  /// Nesting of an expression, and of arrays and objects in a value that expressions read.
  package static let depth = 200
  /// Expressions within one expression, counted each time they are looked at.
  package static let nodes = 100_000
  /// Arguments of one operator, and labels or stops of one curve.
  package static let arguments = 30_000
  /// Bytes that a legacy function or filter repeats while it becomes an expression: the name of a property for
  /// each zoom or value.
  package static let repeatedBytes = 4 << 20
}

struct Parser {
  enum Annotation { case assert, coerce, omit }

  /// Where an expression stands: its path, the type expected of it, and the variables bound around it.
  struct Place {
    var path = SourcePath.root
    var depth = 0
    var expected: ExpressionType?
    var scope: Scope?

    func child(_ index: Int, _ expected: ExpressionType? = nil) -> Place {
      Place(path: path.child(index), depth: depth + 1, expected: expected, scope: scope)
    }

    /// The type expected of an output, where it says anything.
    var outputType: ExpressionType? { expected == .value ? nil : expected }
  }

  final class Scope {
    let bindings: [String: Node]
    let outer: Scope?

    init(_ bindings: [String: Node], outer: Scope?) {
      self.bindings = bindings
      self.outer = outer
    }

    func find(_ name: String) -> Node? {
      var scope: Scope? = self
      while let here = scope {
        if let node = here.bindings[name] { return node }
        scope = here.outer
      }
      return nil
    }
  }

  var errors: [ExpressionError] = []
  var nodeCount = 0
  /// Whether a limit was met: nothing is parsed from then on, and that one error stands.
  private(set) var isExhausted = false
  private let folder: ConstantFolder

  private init(_ folder: ConstantFolder) { self.folder = folder }

  /// Parses a whole expression, or says why it is none.
  /// `isLiteral`: it is a value, not an expression, even where it is an array. `folder`: has the budget of the
  /// compilation.
  static func parse(
    _ json: JSON, isLiteral: Bool = false, expected: ExpressionType?, annotation: Annotation = .assert,
    folder: ConstantFolder = ConstantFolder(.standard)
  ) -> Result<Node, ExpressionErrors> {
    var parser = Parser(folder)
    let place = Place(expected: expected)
    let node =
      isLiteral
      ? parser.literal(json, place).flatMap { parser.annotate($0, place, annotation) }
      : parser.parse(json, place, annotation)
    return node.map { .success($0) } ?? .failure(ExpressionErrors(parser.errors))
  }

  mutating func fail(_ message: String, _ place: Place, _ keys: Int...) -> Node? {
    guard !isExhausted else { return nil }
    let path = keys.reduce(place.path) { $0.child($1) }
    errors.append(ExpressionError(key: path.text, message: message))
    return nil
  }

  mutating func exhaust(_ message: String, _ place: Place) -> Node? {
    if !isExhausted { errors = [ExpressionError(key: place.path.text, message: message)] }
    isExhausted = true
    return nil
  }

  mutating func parse(_ json: JSON, _ place: Place, _ annotation: Annotation = .assert) -> Node? {
    nodeCount += 1
    if isExhausted { return nil }
    if nodeCount > ExpressionLimits.nodes {
      return exhaust("Expression is too large (limit \(ExpressionLimits.nodes)).", place)
    }
    if place.depth > ExpressionLimits.depth {
      return exhaust("Expression is nested too deeply (limit \(ExpressionLimits.depth)).", place)
    }
    switch json.kind {
    case .object: return fail("Bare objects invalid. Use [\"literal\", {...}] instead.", place)
    case .array: break
    default:
      let value = ExpressionValue(json)
      return annotate(.literal(value, value.type, place.path), place, annotation)
    }
    guard json.count > 0, let head = json[0] else {
      return fail(
        "Expected an array with at least one element. If you wanted a literal array, use [\"literal\", []].",
        place)
    }
    guard let name = head.string else {
      let found = Parser.javaScriptType(head)
      return fail(
        "Expression name must be a string, but found \(found) instead. If you wanted a literal array, use [\"literal\", [...]].",
        place, 0)
    }
    guard json.count <= ExpressionLimits.arguments else {
      return exhaust("Too many arguments (limit \(ExpressionLimits.arguments)).", place)
    }
    guard let node = parseOperator(name, Array(json.elements), place) else { return nil }
    return annotate(node, place, annotation)
  }

  /// Makes the node fit the expected type, and folds it if it is constant.
  private mutating func annotate(_ node: Node, _ place: Place, _ annotation: Annotation) -> Node? {
    var node = node
    if let expected = place.expected {
      switch Parser.fit(node.type, to: expected) {
      case .assert: node = Parser.wrap(node, expected, place.path, annotation)
      case .coerce: node = Parser.wrap(node, expected, place.path, annotation == .omit ? .omit : .coerce)
      case .none:
        if let message = expected.mismatch(node.type) { return fail(message, place) }
      }
    }
    guard node.op != .literal, node.type != .resolvedImage, node.isFoldable else { return node }
    switch folder.fold(node) {
    case .success(let value): return .literal(value, node.type, place.path)
    case .failure(let error):
      return folder.isSpent ? exhaust(error.message, place) : fail(error.message, place)
    }
  }

  /// Charges the compilation for what is read again each time that an expression is: a literal, labels, shapes.
  /// False, with an error, where that is past its budget.
  mutating func charge(reading count: Int, _ place: Place) -> Bool {
    guard let message = folder.charge(reading: count) else { return true }
    _ = exhaust(message, place)
    return false
  }

  private enum Fit { case none, assert, coerce }

  /// Whether a value of one type is asserted or coerced where another is expected.
  private static func fit(_ actual: ExpressionType, to expected: ExpressionType) -> Fit {
    let isValue = actual == .value
    switch expected {
    case .string, .number, .boolean, .object, .array: return isValue ? .assert : .none
    case .color, .formatted, .resolvedImage: return isValue || actual == .string ? .coerce : .none
    case .projectionDefinition, .colorArray:
      return isValue || actual == .string || actual.isArray ? .coerce : .none
    case .padding, .numberArray: return isValue || actual == .number || actual.isArray ? .coerce : .none
    case .variableAnchorOffsetCollection: return isValue || actual.isArray ? .coerce : .none
    default: return .none
    }
  }

  private static func wrap(_ node: Node, _ type: ExpressionType, _ path: SourcePath, _ annotation: Annotation)
    -> Node
  {
    switch annotation {
    case .assert: Node(.assertion, type, path, [node])
    case .coerce: Node(.coercion, type, path, [node])
    case .omit: node
    }
  }

  /// JavaScript's `typeof`.
  static func javaScriptType(_ json: JSON) -> String {
    switch json.kind {
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .null, .array, .object: "object"
    }
  }
}
