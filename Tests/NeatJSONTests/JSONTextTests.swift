import NeatBase
import NeatJSON
import Testing

/// The pieces that the parser and the reader of GeoJSON share.
@Suite struct JSONTextTests {
  /// Where the text of a string ends, by way of the shared search.
  private func end(_ bytes: [UInt8]) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      let start = bytes.baseAddress!
      return JSONText.plainEnd(start, start + bytes.count) - start
    }
  }

  @Test func textEndsAtTheFirstByteThatIsNotPlain() {
    for special: UInt8 in [0x22, 0x5c, 0x00, 0x1f] {
      for place in 0..<20 {
        for count in place + 1..<24 {
          // Bytes above ASCII, and those next to the special ones, are plain.
          var bytes = (0..<count).map {
            [0x20, 0x21, 0x23, 0x5b, 0x5d, 0x7f, 0x80, 0xa2, 0xff][$0 % 9] as UInt8
          }
          #expect(end(bytes) == count)
          bytes[place] = special
          #expect(end(bytes) == place)
          bytes[count - 1] = 0x22
          #expect(end(bytes) == place)
        }
      }
    }
  }

  @Test func stringsOfAnyLengthAreReadAndRefused() throws {
    for length in 0..<40 {
      let plain = String(repeating: "é", count: length / 2) + String(repeating: "x", count: length % 2)
      #expect(try JSON.parse("\"\(plain)\"").string == plain)
      #expect(try JSON.parse("\"\(plain)\\n\(plain)\\u00e9\"").string == plain + "\n" + plain + "é")
      #expect(throws: NeatError(.json, "unterminated string", offset: 0)) { try JSON.parse("\"\(plain)") }
      #expect(throws: NeatError(.json, "control character in a string", offset: 1 + plain.utf8.count)) {
        try JSON.parse("\"\(plain)\n\(plain)\"")
      }
    }
  }

  @Test(arguments: [
    (#"\ud83d\ude00"#, "😀"), (#"\ud83d"#, "\u{fffd}"), (#"\ude00"#, "\u{fffd}"), (#"\ud83d\n"#, "\u{fffd}\n"),
    (#"\ud83d\u0041"#, "\u{fffd}A"), (#"\ud83dx"#, "\u{fffd}x"), (#"\b\f\r\t\/\\\""#, "\u{8}\u{c}\r\t/\\\""),
  ])
  func escapesAreResolved(_ written: String, _ text: String) throws {
    #expect(try JSON.parse("\"\(written)\"").string == text)
  }

  @Test(arguments: [
    ("0", 0), ("-0", -0.0), ("1e400", .infinity), ("-1e400", -.infinity), ("1e-400", 0), ("0e999999999", 0),
    ("9007199254740993", 9_007_199_254_740_992), ("123456789012345678901234567890", 1.2345678901234568e29),
    ("0.1234567890123456789", 0.12345678901234568), ("4.35", 4.35), ("1E+2", 100), ("12.5e-1", 1.25),
    ("5e-324", Double.leastNonzeroMagnitude), ("18446744073709551615", 1.8446744073709552e19),
  ])
  func numbersAreTheNearest(_ text: String, _ value: Double) throws {
    let number = try #require(try JSON.parse(text).number)
    #expect(number == value && number.sign == value.sign)
  }

  @Test(arguments: [
    ("-", "unexpected character; expected a JSON value"),
    ("+1", "unexpected character; expected a JSON value"),
    ("01", "number with a leading zero"), ("-00", "number with a leading zero"),
    ("1.", "number without digits after the point"), ("1.e2", "number without digits after the point"),
    ("1e", "number without digits in its exponent"), ("1e+", "number without digits in its exponent"),
  ])
  func faultyNumbersAreNamed(_ text: String, _ message: String) {
    #expect(throws: NeatError(.json, message, offset: 1)) { try JSON.parse("[\(text)]") }
  }
}
