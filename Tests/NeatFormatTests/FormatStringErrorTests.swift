import NeatBase
import NeatFormat
import NeatJSON
import NeatStyle
import Testing

@Suite("Format strings that have no expression say which form and where")
struct FormatStringErrorTests {
  @Test("Forms without an expression are named", arguments: FormatFaults.unsupported)
  func unsupported(_ fault: FormatFault) { check(fault, .expression) }

  @Test("Text that is no format string is told by its byte", arguments: FormatFaults.syntax)
  func syntax(_ fault: FormatFault) { check(fault, .predicate) }

  @Test("Operands that do not fit are told by their byte", arguments: FormatFaults.operands)
  func operands(_ fault: FormatFault) { check(fault, .expression) }

  @Test("Placeholders and arguments that do not fit are told", arguments: FormatFaults.arguments)
  func arguments(_ fault: FormatFault) { check(fault, .expression) }

  private func check(_ fault: FormatFault, _ kind: FormatString.Kind) {
    do throws(FormatStringError) {
      guard let arguments = try? JSON.parse(fault.arguments) else {
        Issue.record("bad arguments")
        return
      }
      let bytes = try FormatString.convert(Array(fault.format.utf8), arguments: arguments, as: kind)
      Issue.record("\(fault.format) became \(String(decoding: bytes, as: UTF8.self))")
    } catch {
      #expect(error.kind == fault.kind, "\(fault.format): \(error)")
      #expect(error.offset == fault.offset, "\(fault.format): \(error)")
      #expect(error.message.contains(fault.words), "\(fault.format): \(error)")
    }
  }

  @Test("A predicate has to compare something")
  func predicates() {
    for format in ["name", "5", "'x'", "nil", "{1}", "a + 1", "uppercase(name)"] {
      #expect(throws: FormatStringError.self, "\(format)") { try convert(format, "[]", .predicate) }
    }
  }

  @Test("Errors know line, column and their status in the interface")
  func positions() throws {
    let error = try #require(throws: FormatStringError.self) {
      try convert("a = 1 AND\n  b MATCHES 'x'", "[]", .predicate)
    }
    #expect((error.offset, error.line, error.column) == (14, 2, 5))
    #expect(error.neatError.code == .unsupported)
    #expect(error.description.hasSuffix(", at line 2, column 5 (byte 14)"))
    let codes: [(String, String, ErrorCode)] = [
      ("a =", "[]", .expression), ("sqrt('x')", "[]", .expression), ("%@", "[]", .invalidArgument),
      ("a = 1", "[1]", .invalidArgument),
      (String(repeating: "(", count: 200), "[]", .limitExceeded),
    ]
    for (format, arguments, code) in codes {
      let error = try #require(throws: FormatStringError.self) { try convert(format, arguments) }
      #expect(error.neatError.code == code)
    }
  }

  @Test("Text that is not UTF-8 is an error at its byte")
  func encoding() throws {
    for (bytes, offset) in [([0x61, 0xFF], 1), ([0xC3, 0xA9, 0x20, 0x3D, 0xED, 0xA0, 0x80], 4)]
      as [([UInt8], Int)]
    {
      let error = try #require(throws: FormatStringError.self) {
        try FormatString.convert(bytes, as: .predicate)
      }
      #expect(error.offset == offset && error.message.contains("UTF-8"))
    }
    #expect(try convert("a\u{A0}= 1", "[]", .predicate) == #"["==",["get","a"],1]"#)
  }
}
