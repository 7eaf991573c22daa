/// The attributes of a feature, in their order. Looking one up goes through the list: features have few.
///
/// Two are equal where they have the same attributes, in whatever order.
public struct Attributes: Sendable {
  /// A name and its value.
  public typealias Element = (key: String, value: AttributeValue)

  /// Of equal keys, which a text may have, the last one counts.
  private var members: [Element]

  /// No attributes.
  public init() { members = [] }

  init(members: [Element]) { self.members = members }

  /// The attributes of a dictionary, by key.
  public init(_ dictionary: [String: AttributeValue]) {
    members = dictionary.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The attributes without their order.
  public var dictionary: [String: AttributeValue] {
    Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// Nil where there is none, `.null` where there is one without a value. A new one goes to the end; setting
  /// nil removes it.
  public subscript(_ key: String) -> AttributeValue? {
    get { members.last { $0.key == key }?.value }
    set {
      guard let newValue else { return members.removeAll { $0.key == key } }
      if let index = members.lastIndex(where: { $0.key == key }) {
        members[index].value = newValue
      } else {
        append(key, newValue)
      }
    }
  }

  /// Adds an attribute without looking whether the key is there.
  mutating func append(_ key: String, _ value: AttributeValue) { members.append((key, value)) }

  /// The names in their order.
  public var keys: [String] { members.map(\.key) }
}

extension Attributes: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// The number of attributes.
  public var endIndex: Int { members.count }
  /// The attribute at an index, in their order.
  public subscript(_ index: Int) -> Element { members[index] }
}

extension Attributes: ExpressibleByDictionaryLiteral {
  /// Attributes in the order of the literal.
  public init(dictionaryLiteral elements: (String, AttributeValue)...) {
    self.init(members: elements.map { ($0.0, $0.1) })
  }
}

extension Attributes: Hashable {
  /// Whether both have the same names and values, in any order.
  public static func == (a: Attributes, b: Attributes) -> Bool {
    if a.count == b.count, zip(a.members, b.members).allSatisfy({ $0.key == $1.key && $0.value == $1.value })
    {
      return true
    }
    return a.dictionary == b.dictionary
  }

  /// Hashes without the order.
  public func hash(into hasher: inout Hasher) { hasher.combine(dictionary) }
}

extension Attributes: CustomStringConvertible {
  /// The attributes as a compact JSON object.
  public var description: String { AttributeValue.object(self).description }
}
