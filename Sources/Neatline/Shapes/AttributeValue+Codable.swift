extension AttributeValue: Codable {
  /// Decoders that do not tell 1.0 from 1, as Foundation's for JSON, give integers for both; their order of
  /// members is arbitrary.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: MemberName.self) {
      var attributes = Attributes()
      for key in container.allKeys {
        attributes.append(key.stringValue, try container.decode(AttributeValue.self, forKey: key))
      }
      self = .object(attributes)
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [AttributeValue] = []
      while !container.isAtEnd { elements.append(try container.decode(AttributeValue.self)) }
      self = .array(elements)
    } else {
      try self.init(single: try decoder.singleValueContainer())
    }
  }

  private init(single container: any SingleValueDecodingContainer) throws {
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .uint64(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .int64(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  /// Writes the value; numbers keep their type.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let attributes):
      var container = encoder.container(keyedBy: MemberName.self)
      for (key, value) in attributes { try container.encode(value, forKey: MemberName(stringValue: key)) }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try encode(value, to: encoder)
    case .uint64(let value): try encode(value, to: encoder)
    case .int64(let value): try encode(value, to: encoder)
    case .double(let value): try encode(value, to: encoder)
    case .string(let value): try encode(value, to: encoder)
    }
  }

  private func encode(_ value: some Encodable, to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension Attributes: Codable {
  /// Reads an object.
  public init(from decoder: any Decoder) throws {
    guard case .object(let attributes) = try AttributeValue(from: decoder) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "an object is expected"))
    }
    self = attributes
  }

  /// Writes an object, its members in their order.
  public func encode(to encoder: any Encoder) throws { try AttributeValue.object(self).encode(to: encoder) }
}
