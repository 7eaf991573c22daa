import NeatBase
import NeatTile
import Testing

/// Nested properties in tiles made by hand.
@Suite struct MLTNestedTests {
  private func stream(_ type: UInt8, _ numbers: [UInt64]) -> [UInt8] {
    let payload = numbers.flatMap { Proto.varint($0) }
    return [type, 2] + Proto.varint(UInt64(numbers.count)) + Proto.varint(UInt64(payload.count)) + payload
  }

  /// A layer of points with one nested column "a" over the strings; a row of tokens for each feature.
  private func tile(tag: UInt8 = 2, columnType: UInt8 = 31, strings: [String] = [], rows: [[UInt64]])
    -> [UInt8]
  {
    var body: [UInt8] = [1, 65, 64, 2, 4, columnType, 1, 97] + (columnType == 31 ? [0] : [])
    body += [2] + stream(0x10, rows.map { _ in 0 }) + stream(0x13, rows.flatMap { _ in [2, 2] })
    let text = strings.flatMap { Array($0.utf8) }
    body += strings.isEmpty ? [2, 0] : [4, 1]
    body += stream(0x30, rows.map { UInt64($0.count) })
    if !strings.isEmpty {
      body += [2] + stream(0x30, strings.map { UInt64($0.utf8.count) })
      body += [0x10, 0] + Proto.varint(UInt64(strings.count)) + Proto.varint(UInt64(text.count)) + text
    }
    body += stream(0x20, rows.flatMap { $0 })
    return Proto.varint(UInt64(body.count + 1)) + [tag] + body
  }

  private func texts(_ bytes: [UInt8]) throws -> [String?] {
    let layer = try decodeMLT(bytes).layers[0]
    return (0..<layer.featureCount).map { feature in
      layer.value(feature: feature, named: "a").map {
        $0.kind == .json || $0.kind == .string ? $0.text : $0.kind == .bool ? "\($0.boolValue)" : "\($0.kind)"
      }
    }
  }

  @Test func scalarsStayAndMapsAndListsBecomeJSON() throws {
    let rows: [[UInt64]] = [[4], [1], [], [4, 0], [3, 2], [3, 5, 2, 2, 5], [4, 2, 4, 5, 1, 5, 3, 3, 4]]
    #expect(
      try texts(tile(strings: ["k", "\"\\"], rows: rows)) == [
        "k", "true", "{}", #"{"k":false}"#, "[]", #"[{},"\"\\"]"#, #"{"k":{"\"\\":true},"\"\\":["k"]}"#,
      ])
    #expect(try texts(tile(tag: 1, strings: ["k"], rows: [[4, 1]])) == [#"{"k":true}"#])
  }

  @Test func damagedRowsAreRefused() throws {
    // Tokens that are no scalar, an entry without a value, a key that is a boolean, and lengths that reach
    // past their end or do not reach it.
    let damaged: [[UInt64]] = [
      [2], [3], [9], [3, 1], [3, 9, 1], [3, 2, 1], [1, 1], [4, 2, 3, 4], [4, 3, 3], [3, 0xffff_ffff],
    ]
    for row in damaged {
      #expect("\(row)") { _ = try texts(tile(strings: ["k"], rows: [row])) } throws: {
        ($0 as? NeatError)?.code == .tile
      }
    }
    // Tokens that reach past the end of the tile.
    var bytes = tile(strings: ["k"], rows: [[4], [4]])
    bytes[bytes.count - 3] = 9
    #expect { try decodeMLT(bytes) } throws: { ($0 as? NeatError)?.code == .tile }
  }

  @Test func depthAndLengthEndAtTheirLimits() throws {
    func nested(_ depth: Int) -> [UInt64] { (0..<depth).flatMap { [3, UInt64(2 * (depth - $0))] } }
    let deepest = MLTLimits.maxDepth
    #expect(
      try texts(tile(rows: [nested(deepest)])) == [
        String(repeating: "[", count: deepest) + String(repeating: "]", count: deepest)
      ])
    #expect { try decodeMLT(tile(rows: [nested(deepest + 1)])) } throws: {
      ($0 as? NeatError)?.code == .limitExceeded
    }
    // One string of 10,000 bytes, 10,000 times.
    let bomb = tile(
      strings: [String(repeating: "x", count: 10_000)],
      rows: [[3, 10_002] + [UInt64](repeating: 4, count: 10_000)])
    #expect { try decodeMLT(bomb) } throws: { ($0 as? NeatError)?.code == .limitExceeded }
  }

  @Test func otherFormatsWithTheSameTagArePassedOver() throws {
    // No nested column, then metadata that are none.
    #expect(try decodeMLT(tile(columnType: 11, rows: [[1]])).layers.isEmpty)
    #expect(try decodeMLT([5, 2, 1, 65, 0xf6, 3]).layers.isEmpty)
  }
}
