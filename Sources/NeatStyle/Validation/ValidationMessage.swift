import NeatBase
import NeatJSON

/// A fault of a style, in the specification's words.
package struct ValidationMessage: Sendable, Equatable {
  package enum Severity: String, Sendable { case error, warning }

  /// Line in the source, from 1; nil where the faulty value is null.
  package var line: Int?
  package var message: String
  package var severity: Severity
  /// Names the kind of fault, where the specification has a name for it.
  package var identifier: String?
  /// Where in the style: `layers[3].paint.fill-color`.
  package var key: String

  package init(
    line: Int?, message: String, severity: Severity = .error, identifier: String? = nil, key: String = ""
  ) {
    self.line = line
    self.message = message
    self.severity = severity
    self.identifier = identifier
    self.key = key
  }
}

/// Bounds on validation.
package enum ValidationLimits {
  /// Messages kept; validation goes on, but the rest is dropped.
  package static let messages = 1000
  /// Bytes of a message; the rest is cut off.
  package static let messageBytes = 4096
  /// Bytes of a member's name within a key.
  package static let nameBytes = 256
}

/// Checks a style against the specification; messages in the order of their lines. Text that is no JSON gives
/// one message.
package func validateStyle(_ bytes: [UInt8]) -> [ValidationMessage] {
  do throws(NeatError) {
    var validator = StyleValidator(style: try JSONDocument(parsing: bytes).root)
    validator.validateRoot()
    return validator.sortedMessages()
  } catch {
    let offset = min(error.offset ?? 0, bytes.count)
    let line = bytes[..<offset].reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
    return [ValidationMessage(line: line, message: error.message)]
  }
}

package func validateStyle(_ style: JSON) -> [ValidationMessage] {
  var validator = StyleValidator(style: style)
  validator.validateRoot()
  return validator.sortedMessages()
}

/// Checks one property's value, as an edit gives it.
package func validateProperty(_ value: JSON, _ property: Property, key: String) -> [ValidationMessage] {
  var validator = StyleValidator(style: .null)
  let spec = property.spec
  validator.property(
    value, spec.name, spec.reference, PropertyContext(owner: spec.owner, group: spec.group, name: spec.name),
    key)
  return validator.sortedMessages()
}

/// Checks a filter, as an edit gives it.
package func validateFilter(_ filter: JSON, key: String) -> [ValidationMessage] {
  var validator = StyleValidator(style: .null)
  validator.filter(filter, key)
  return validator.sortedMessages()
}

/// Checks a source, as an edit gives it.
package func validateSource(_ source: JSON, key: String) -> [ValidationMessage] {
  var validator = StyleValidator(style: .null)
  guard source.isObject else {
    return [
      ValidationMessage(line: nil, message: "\(key): object expected, \(source.typeName) found", key: key)
    ]
  }
  validator.source(source, key)
  return validator.sortedMessages()
}

/// Checks a transition, as an edit gives it.
package func validateTransition(_ transition: JSON, key: String) -> [ValidationMessage] {
  var validator = StyleValidator(style: .null)
  validator.members(transition, Reference.transition, key)
  return validator.sortedMessages()
}

/// Checks a light, a sky, a fog or a projection, as an edit gives it.
package func validateSection(_ section: JSON, _ owner: PropertyOwner, key: String) -> [ValidationMessage] {
  var validator = StyleValidator(style: .null)
  let kind: ReferenceSpec.Kind =
    switch owner {
    case .light: .light
    case .sky: .sky
    case .fog: .fog
    default: .projection
    }
  validator.section(section, kind, key)
  return validator.sortedMessages()
}
