import NeatBase

/// Values made by code. Each is a small document of its own, so that there is one type of value only.
extension JSON {
  package static func parse(_ bytes: [UInt8]) throws(NeatError) -> JSON {
    try JSONDocument(parsing: bytes).root
  }
  package static func parse(_ text: String) throws(NeatError) -> JSON { try parse(Array(text.utf8)) }

  package static let null = write { $0.null() }
  package static func bool(_ value: Bool) -> JSON { write { $0.bool(value) } }
  package static func number(_ value: Double) -> JSON { write { $0.number(value) } }
  package static func string(_ value: String) -> JSON { write { $0.string(value) } }

  package static func array(_ values: [JSON]) -> JSON {
    write { writer in
      writer.beginArray()
      for value in values { writer.value(value) }
      writer.endArray()
    }
  }

  package static func object(_ members: [(String, JSON)]) -> JSON {
    write { writer in
      writer.beginObject()
      for (key, value) in members {
        writer.key(key)
        writer.value(value)
      }
      writer.endObject()
    }
  }

  /// The value's compact text, as JavaScript's `JSON.stringify` prints it.
  package var text: String {
    var writer = JSONWriter()
    writer.value(self)
    return writer.text
  }

  private static func write(_ body: (inout JSONBuilder) -> Void) -> JSON {
    var builder = JSONBuilder()
    body(&builder)
    // Nesting past the limit aside, what is built is a document: values made by code come from values that
    // were within it.
    return builder.finish() ?? .null
  }
}
