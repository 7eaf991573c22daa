import Glibc
import Neatline

/// Reads expressions as the specification says: types are inferred, assertions and coercions put in, and what
/// is constant evaluated at once.
struct OracleParser {
  enum Annotation { case assert, coerce, omit }

  var scope: [String: OracleNode] = [:]

  mutating func parse(_ json: JSONValue, _ expected: OracleType?, _ annotation: Annotation = .assert) throws
    -> OracleNode
  {
    var node = try parseBare(json, expected)
    let bare = node
    var isAnnotation = false
    if let expected {
      switch expected {
      case .string, .number, .boolean, .object, .array:
        if bare.type == .value {
          isAnnotation = true
          node = annotate(bare, expected, annotation)
        } else if !expected.accepts(bare.type) {
          throw OracleError(message: "expected \(expected), found \(bare.type)")
        }
      case .color, .formatted, .image:
        if bare.type == .value || bare.type == .string {
          isAnnotation = true
          node = annotate(bare, expected, annotation == .omit ? .omit : .coerce)
        } else if !expected.accepts(bare.type) {
          throw OracleError(message: "expected \(expected), found \(bare.type)")
        }
      default:
        if !expected.accepts(bare.type) {
          throw OracleError(message: "expected \(expected), found \(bare.type)")
        }
      }
    }
    if isAnnotation, node !== bare, bare.literal != nil, node.type != .image { return try folded(node) }
    return node
  }

  private func annotate(_ node: OracleNode, _ type: OracleType, _ annotation: Annotation) -> OracleNode {
    switch annotation {
    case .assert: OracleOperators.assertion(type, [node])
    case .coerce: OracleOperators.coercion(type, [node])
    case .omit: node
    }
  }

  /// The value of a node whose parts are constant; what fails now is an error of the expression.
  func folded(_ node: OracleNode) throws -> OracleNode {
    OracleNode(try node.evaluate(OracleContext(zoom: 0, feature: OracleFeature(properties: [:]))), node.type)
  }

  private mutating func parseBare(_ json: JSONValue, _ expected: OracleType?) throws -> OracleNode {
    guard case .array(let items) = json else {
      guard json.object == nil else { throw OracleError(message: "a bare object") }
      return OracleNode(OracleValue(json))
    }
    guard case .string(let name)? = items.first else { throw OracleError(message: "no operator") }
    let arguments = Array(items.dropFirst())
    if let node = try parseForm(name, arguments, expected) { return node }
    guard let signatures = OracleOperators.all[name] else {
      throw OracleError(message: "unknown operator \(name)", isUnsupported: true)
    }
    var failure = OracleError(message: "\(name): wrong number of arguments")
    for signature in signatures where signature.isVariadic || signature.parameters.count == arguments.count {
      do {
        var children: [OracleNode] = []
        for (index, argument) in arguments.enumerated() {
          children.append(
            try parse(argument, signature.isVariadic ? signature.parameters[0] : signature.parameters[index]))
        }
        let run = signature.run
        let nodes = children
        let node = OracleNode(signature.result) { try run(nodes, $0) }
        return !signature.readsContext && children.allSatisfy { $0.literal != nil } ? try folded(node) : node
      } catch let error as OracleError {
        failure = error
      }
    }
    throw failure
  }

  func check(_ isRight: Bool, _ message: String) throws {
    if !isRight { throw OracleError(message: message) }
  }
}
