import NeatBase
import NeatTestSupport
import Testing

@testable import NeatTile

/// Structures that cannot be right.
@Suite struct ArrowNonsenseTests {
  private func refuse(
    _ batch: ArrowColumn, _ words: String, _ code: ErrorCode = .invalidArgument,
    location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: NeatError.self, sourceLocation: location) { try ArrowReaderTests.read(batch) }
    #expect(error?.code == code, sourceLocation: location)
    #expect(error?.message.contains(words) == true, "\(String(describing: error))", sourceLocation: location)
  }

  private func batch(
    _ memory: ArrowMemory, _ change: (inout ArrowSchemaC, inout ArrowArrayC, ArrowColumn) -> Void
  ) throws -> ArrowColumn {
    let column = memory.texts("t", ["a", "b", "c"])
    let batch = try ArrowReaderTests.batch(memory, [column])
    change(&batch.schema.pointee, &batch.array.pointee, column)
    return batch
  }

  @Test func nullPointersAreNamed() throws {
    let memory = ArrowMemory()
    #expect(throws: NeatError.self) { try ArrowReader(schema: nil) }
    let good = try batch(memory) { _, _, _ in }
    #expect(throws: NeatError.self) { try ArrowReader(schema: good.schema).read(nil) }
    refuse(try batch(memory) { schema, _, _ in schema.format = nil }, "the format is NULL")
    refuse(try batch(memory) { schema, _, _ in schema.children = nil }, "list of children is NULL")
    refuse(try batch(memory) { schema, _, _ in schema.children![1] = nil }, "child 1: the schema is NULL")
    refuse(try batch(memory) { _, array, _ in array.children = nil }, "list of columns is NULL")
    refuse(try batch(memory) { _, array, _ in array.children![1] = nil }, #"column "t": the array is NULL"#)
    refuse(
      try batch(memory) { _, _, column in column.array.pointee.buffers = nil }, "list of buffers is NULL")
    refuse(
      try batch(memory) { _, _, column in column.array.pointee.buffers![1] = nil },
      "buffer of 3 values is NULL")
    refuse(
      try batch(memory) { _, _, column in column.array.pointee.buffers![2] = nil }, "row 0, column \"t\"")
    refuse(
      try batch(memory) { _, _, column in
        column.array.pointee.nullCount = 2
        column.array.pointee.buffers![0] = nil
      }, "2 nulls and no validity bitmap")
  }

  @Test func whatWasReleasedIsRefused() throws {
    let memory = ArrowMemory()
    refuse(try batch(memory) { schema, _, _ in schema.release = nil }, "the schema was released")
    refuse(try batch(memory) { _, array, _ in array.release = nil }, "the array was released")
    refuse(try batch(memory) { _, _, column in column.array.pointee.release = nil }, "the array was released")
  }

  @Test func countsThatDoNotFitAreRefused() throws {
    let memory = ArrowMemory()
    for count in [-1, 1 << 40] as [Int64] {
      refuse(try batch(memory) { schema, _, _ in schema.childCount = count }, "\(count) children")
    }
    refuse(try batch(memory) { _, array, _ in array.childCount = 1 }, "1 columns, where the schema has 2")
    refuse(try batch(memory) { _, array, _ in array.bufferCount = 0 }, "0 buffers of a struct")
    refuse(try batch(memory) { _, _, column in column.array.pointee.bufferCount = 2 }, "2 buffers of a utf8")
    refuse(try batch(memory) { _, _, column in column.array.pointee.childCount = 1 }, "1 children")
    refuse(try batch(memory) { _, _, column in column.schema.pointee.childCount = 1 }, "1 children of a utf8")
    for length in [-1, .max] as [Int64] {
      refuse(try batch(memory) { _, array, _ in array.length = length }, "length \(length)")
      refuse(try batch(memory) { _, array, _ in array.offset = length }, "offset \(length)")
      refuse(try batch(memory) { _, _, column in column.array.pointee.length = length }, "length \(length)")
      refuse(try batch(memory) { _, _, column in column.array.pointee.offset = length }, "offset \(length)")
    }
    refuse(try batch(memory) { _, _, column in column.array.pointee.nullCount = -2 }, "-2 nulls")
    refuse(try batch(memory) { _, _, column in column.array.pointee.nullCount = 4 }, "4 nulls")
    refuse(try batch(memory) { _, _, column in column.array.pointee.length = 2 }, "2 values of 3 rows")
    refuse(try batch(memory) { _, array, _ in array.length = 1 << 29 }, "rows", .limitExceeded)
  }

  @Test func childrenReachAsFarAsTheirParents() throws {
    let memory = ArrowMemory()
    for column in [
      memory.structure("s", 3, [memory.bools("x", [true, false])]),
      memory.column("s", "+w:2", length: 3, buffers: [], children: [memory.bools("x", [true, true])]),
      memory.column(
        "s", "+w:2147483647", length: 3, offset: 1 << 47, buffers: [], children: [memory.bools("x", [true])]),
    ] {
      refuse(try ArrowReaderTests.batch(memory, [column]), "fewer values than its parent needs")
    }
    let list = memory.list("l", [1, 1, 2], memory.bools("x", [true, true, true]))
    refuse(try ArrowReaderTests.batch(memory, [list]), "row 2, column \"l\": offsets")
  }

  @Test func offsetsRise() throws {
    let memory = ArrowMemory()
    for offsets in [[-1, 1, 2, 3], [0, 2, 1, 3]] as [[Int32]] {
      let column = memory.column(
        "t", "u", length: 3, buffers: [memory.bytes(offsets), memory.bytes([97, 98, 99] as [UInt8])])
      refuse(try ArrowReaderTests.batch(memory, [column]), "column \"t\": offsets")
    }
    let long = memory.column(
      "t", "U", length: 3,
      buffers: [memory.bytes([0, .max, .max, .max] as [Int64]), memory.bytes([97] as [UInt8])])
    refuse(try ArrowReaderTests.batch(memory, [long]), "column \"t\": offsets")
  }

  @Test func viewsStayWithinTheirBuffers() throws {
    let memory = ArrowMemory()
    for view in [[-1, 0, 0, 0], [20, 0, 1, 0], [20, 0, -1, 0], [20, 0, 0, 1], [20, 0, 0, -1]] as [[Int32]] {
      let views = view + [Int32](repeating: 0, count: 8)
      let column = memory.column(
        "t", "vu", length: 3,
        buffers: [
          memory.bytes(views), memory.bytes([UInt8](repeating: 97, count: 20)), memory.bytes([20] as [Int64]),
        ])
      refuse(try ArrowReaderTests.batch(memory, [column]), "row 0, column \"t\": a view that lies outside")
    }
  }

  @Test(arguments: [
    "", "x", "nn", "t", "ts", "tsx:", "w:", "w:-1", "w:x", "+", "+w:-1", "d:", "d:1", "d:1,2,3", "d:0,1",
    "d:99,1", "d:5,9999", "+zz",
  ]) func formatsThatAreNoneAreRefused(_ format: String) throws {
    let memory = ArrowMemory()
    refuse(
      try ArrowReaderTests.batch(memory, [memory.column("t", format, length: 3, buffers: [nil])]),
      "\"\(format)\" is not a format")
  }

  @Test func nestingEndsAtTheLimit() throws {
    let memory = ArrowMemory()
    for (depth, isFine) in [(60, true), (100, false), (20_000, false)] {
      var column = memory.bools("x", [true, true, true])
      for _ in 0..<depth { column = memory.structure("s", 3, [column]) }
      let batch = try ArrowReaderTests.batch(memory, [column])
      if isFine {
        _ = try ArrowReaderTests.read(batch)
      } else {
        refuse(batch, "nested more than 64 deep", .limitExceeded)
      }
    }
  }

  @Test func mapsAreOfPairsAndDictionariesOfIntegers() throws {
    let memory = ArrowMemory()
    let single = memory.structure("entries", 3, [memory.bools("x", [true, true, true])])
    refuse(
      try ArrowReaderTests.batch(
        memory,
        [
          memory.column(
            "m", "+m", length: 3, buffers: [memory.bytes([0, 1, 2, 3] as [Int32])], children: [single])
        ]
      ), "entries of a map")
    let column = memory.column(
      "d", "g", length: 3, buffers: [memory.bytes([0, 0, 0] as [Double])], dictionary: memory.texts("", ["a"])
    )
    refuse(try ArrowReaderTests.batch(memory, [column]), "indices of a dictionary are double")
  }

  @Test func metadataOfNoLengthIsRefused() throws {
    let memory = ArrowMemory()
    for bytes in [[-1], [1, -5], [1, 0, 1 << 30], [1 << 20]] as [[Int32]] {
      let column = memory.texts("t", ["a", "b", "c"])
      column.schema.pointee.metadata = memory.bytes(bytes).assumingMemoryBound(to: CChar.self)
      refuse(try ArrowReaderTests.batch(memory, [column]), "metadata")
    }
  }

  @Test func aBatchIsAStruct() {
    let memory = ArrowMemory()
    refuse(memory.bools("x", [true]), "a boolean, not a struct of columns")
  }

  /// Small batches whose lists say that they hold the same text again and again, or nulls without end.
  @Test func textEndsAtTheLimit() throws {
    let memory = ArrowMemory()
    var limits = GeoJSONLimits()
    limits.maxBytes = 1 << 20
    let large = memory.texts("", [String(repeating: "x", count: 1000)])
    let indices = memory.column(
      "item", "c", length: 4096, buffers: [memory.bytes([UInt8](repeating: 0, count: 4096))],
      dictionary: large)
    let nothing = memory.column("item", "n", length: 1 << 40, buffers: [], hasValidity: false)
    for list in [
      memory.column(
        "l", "+l", length: 3, buffers: [memory.bytes([0, 2000, 4000, 4096] as [Int32])], children: [indices]),
      memory.column(
        "l", "+L", length: 3, buffers: [memory.bytes([0, 1 << 38, 1 << 39, 1 << 40] as [Int64])],
        children: [nothing]),
      memory.texts("l", [String(repeating: "x", count: 1 << 20), "y", "z"]),
    ] {
      let batch = try ArrowReaderTests.batch(memory, [list])
      let error = #expect(throws: NeatError.self) {
        try ArrowReader(schema: batch.schema, limits: limits).read(batch.array)
      }
      #expect(error?.code == .limitExceeded)
      #expect(
        error?.message.contains("column \"l\": the batch becomes more than 1048576 bytes of text") == true)
    }
  }

  @Test func propertiesAndPointsEndAtTheLimit() throws {
    let memory = ArrowMemory()
    var limits = GeoJSONLimits()
    limits.maxCount = 4
    let batch = try batch(memory) { _, _, _ in }
    #expect(try ArrowReader(schema: batch.schema, limits: limits).read(batch.array).data.tagCount == 3)
    for (count, words) in [(2, "more than 2 rows"), (3, "properties")] {
      limits.maxCount = count
      let more = try ArrowReaderTests.batch(
        memory, [memory.texts("t", ["a", "b", "c"]), memory.bools("u", [true, true, true])])
      let error = #expect(throws: NeatError.self) {
        try ArrowReader(schema: more.schema, limits: limits).read(more.array)
      }
      #expect(error?.code == .limitExceeded)
      #expect(error?.message.contains(words) == true)
    }
  }
}
