/// An object of a style, its members in order. Members that the typed accessors do not know are kept.
public struct StyleObject: Hashable, Sendable {
  /// The members in their order.
  public var members: [JSONValue.Member]

  /// An object from its members.
  public init(members: [JSONValue.Member] = []) { self.members = members }

  /// The member as the accessor's type; nil where it is not there or of another type. Setting nil removes it.
  public subscript<T: StyleConvertible>(_ name: String) -> T? {
    get { members.last { $0.key == name }.flatMap { T(json: $0.value) } }
    set {
      if let newValue {
        if let index = members.lastIndex(where: { $0.key == name }) {
          members[index].value = newValue.json
        } else {
          members.append(.init(name, newValue.json))
        }
      } else {
        members.removeAll { $0.key == name }
      }
    }
  }

  /// Whether there are no members.
  public var isEmpty: Bool { members.isEmpty }
  /// The object as JSON.
  public var json: JSONValue { .object(members) }
}

/// JSON that is not what it should be: which member, and why.
public struct StyleCodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The member, layer or source that is wrong.
  public var key: String
  /// What is wrong.
  public var message: String
  /// Key and message.
  public var description: String { "\(key): \(message)" }
}
