import NeatBase
import NeatTestSupport
import Testing

@testable import NeatTile

@Suite struct ArrowReaderTests {
  static let points: [String?] = [
    #"{"type":"Point","coordinates":[1,2]}"#, #"{"type":"Point","coordinates":[3,4]}"#, nil,
  ]

  /// The properties of each feature: "key=value", texts quoted.
  static func properties(_ data: GeoJSONData) -> [[String]] {
    defer { withExtendedLifetime(data) {} }
    return (0..<data.featureCount).map { feature in
      (Int(data.tagStarts[feature])..<Int(data.tagStarts[feature + 1])).map { tag in
        let value = data.tagValues[tag]
        let words =
          switch value.kind {
          case .null: "null"
          case .bool: "\(value.boolValue)"
          case .int: "\(value.intValue)"
          case .uint: "\(value.bits)u"
          case .double: "\(value.doubleValue)"
          case .string: "'\(value.text)'"
          case .json: value.text
          }
        return "\(data.keys[Int(data.tagKeys[tag])])=\(words)"
      }
    }
  }

  /// Three points with the columns.
  static func batch(_ memory: ArrowMemory, _ columns: [ArrowColumn]) throws -> ArrowColumn {
    memory.batch(3, [try memory.geometry("geometry", points)] + columns)
  }

  static func read(_ batch: ArrowColumn, geometry: String? = nil, id: String? = nil, firstRow: Int = 0)
    throws(NeatError) -> ArrowBatch
  {
    try ArrowReader(schema: batch.schema, geometry: geometry, id: id).read(batch.array, firstRow: firstRow)
  }

  static func values(_ memory: ArrowMemory, _ column: ArrowColumn) throws -> [String] {
    try properties(read(try batch(memory, [column])).data).map { $0.joined(separator: " ") }
  }

  @Test func aBatchReadsAsTheSameGeoJSON() throws {
    let memory = ArrowMemory()
    let features = WKBReaderTests.geometries.enumerated().map { index, geometry in
      #"{"type":"Feature","id":\#(index),"geometry":\#(geometry),"properties":{"name":"n \#(index % 3)","rank":\#(index - 5)}}"#
    }
    let expected = try parse(
      #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#)
    let count = features.count
    for (binary, text) in [("z", "u"), ("Z", "U"), ("vz", "vu")] {
      let batch = memory.batch(
        count,
        [
          memory.fixed("fid", "l", (0..<count).map { Int64($0) as Int64? }),
          memory.texts("name", (0..<count).map { "n \($0 % 3)" }, text),
          try memory.geometry("g", WKBReaderTests.geometries, binary),
          memory.fixed("rank", "s", (0..<count).map { Int16($0 - 5) as Int16? }),
        ])
      let data = try Self.read(batch, id: "fid").data
      #expect(GeoJSONPushReaderTests.words(data) == GeoJSONPushReaderTests.words(expected))
    }
  }

  @Test func numbersKeepTheirValue() throws {
    let memory = ArrowMemory()
    #expect(try Self.values(memory, memory.bools("a", [true, false, nil])) == ["a=true", "a=false", ""])
    #expect(
      try Self.values(memory, memory.fixed("a", "c", [Int8.min, 5, nil])) == ["a=-128", "a=5u", ""])
    #expect(try Self.values(memory, memory.fixed("a", "C", [UInt8.max, nil, 0])) == ["a=255u", "", "a=0u"])
    #expect(
      try Self.values(memory, memory.fixed("a", "s", [Int16.min, 1, 2])) == ["a=-32768", "a=1u", "a=2u"])
    #expect(try Self.values(memory, memory.fixed("a", "S", [UInt16.max, 1, 2]))[0] == "a=65535u")
    #expect(try Self.values(memory, memory.fixed("a", "i", [Int32.min, 1, 2]))[0] == "a=-2147483648")
    #expect(try Self.values(memory, memory.fixed("a", "I", [UInt32.max, 1, 2]))[0] == "a=4294967295u")
    #expect(
      try Self.values(memory, memory.fixed("a", "l", [Int64.min, Int64.max, 2]))
        == ["a=-9223372036854775808", "a=9223372036854775807u", "a=2u"])
    #expect(
      try Self.values(memory, memory.fixed("a", "L", [UInt64.max, 1, 2]))[0] == "a=18446744073709551615u")
    // 1.5, 2^-24 and -65504 as half floats.
    #expect(
      try Self.values(memory, memory.fixed("a", "e", [0x3e00 as UInt16, 0x0001, 0xfbff]))
        == ["a=1.5", "a=5.960464477539063e-08", "a=-65504.0"])
    #expect(
      try Self.values(memory, memory.fixed("a", "f", [0.1 as Float, 16_777_216, -3]))
        == ["a=0.1", "a=16777216.0", "a=-3.0"])
    #expect(
      try Self.values(memory, memory.fixed("a", "g", [0.1, -0.0, .infinity]))
        == ["a=0.1", "a=-0.0", "a=inf"])
  }

  @Test func nullAndNaNAreNoValue() throws {
    let memory = ArrowMemory()
    #expect(try Self.values(memory, memory.fixed("a", "g", [Double.nan, nil, 1])) == ["", "", "a=1.0"])
    #expect(try Self.values(memory, memory.fixed("a", "f", [Float.nan, nil, 1])) == ["", "", "a=1.0"])
    #expect(
      try Self.values(memory, memory.fixed("a", "e", [0x7e00 as UInt16, nil, 0])) == ["", "", "a=0.0"])
    let nothing = memory.column("a", "n", length: 3, buffers: [], hasValidity: false)
    #expect(try Self.values(memory, nothing) == ["", "", ""])
    let data = try Self.read(try Self.batch(memory, [nothing])).data
    withExtendedLifetime(data) {
      #expect(data.hasProperties[0] == 1)
      #expect(data.geometryStarts[2] == data.geometryStarts[3], "a null geometry is a feature without one")
    }
  }

  @Test func decimalsAreNumbers() throws {
    let memory = ArrowMemory()
    func column(_ format: String, _ values: [[UInt64]]) -> ArrowColumn {
      memory.column("a", format, length: 3, buffers: [memory.bytes(values.flatMap { $0 })])
    }
    let minus = { (value: UInt64) in [0 &- value, UInt64.max] }
    #expect(
      try Self.values(memory, column("d:38,2", [[1234, 0], minus(5), [0, 0]]))
        == ["a=12.34", "a=-0.05", "a=0.0"])
    #expect(
      try Self.values(memory, column("d:38,0,128", [[UInt64.max, 0], minus(7), [0, 1]]))
        == ["a=18446744073709551615u", "a=-7", "a=1.8446744073709552e+19"])
    #expect(
      try Self.values(memory, column("d:5,-3", [[12, 0], [1, 0], [0, 0]])) == ["a=12000u", "a=1000u", "a=0u"])
    #expect(
      try Self.values(
        memory, column("d:76,1,256", [[15, 0, 0, 0], minus(15) + [.max, .max], [0, 0, 0, 1]]))
        == ["a=1.5", "a=-1.5", "a=\(0x1p192 / 10)"])
    #expect(
      try Self.values(memory, memory.fixed("a", "d:9,2,32", [Int32(-150), 1, 0]))
        == ["a=-1.5", "a=0.01", "a=0.0"])
    #expect(try Self.values(memory, memory.fixed("a", "d:18,3,64", [Int64(1500), 1, 0]))[0] == "a=1.5")
  }

  @Test func datesAndTimesAreISOText() throws {
    let memory = ArrowMemory()
    #expect(
      try Self.values(memory, memory.fixed("a", "tdD", [0 as Int32, -1, 19_782]))
        == ["a='1970-01-01'", "a='1969-12-31'", "a='2024-02-29'"])
    #expect(
      try Self.values(memory, memory.fixed("a", "tdD", [-719_528 as Int32, -719_529, 2_932_897]))
        == ["a='0000-01-01'", "a='-000001-12-31'", "a='+010000-01-01'"])
    #expect(
      try Self.values(memory, memory.fixed("a", "tdm", [86_400_000 as Int64, -1, .min]))
        == ["a='1970-01-02'", "a='1969-12-31'", "a='-292275055-05-16'"])
    #expect(
      try Self.values(memory, memory.fixed("a", "tts", [0 as Int32, 86_399, nil]))
        == ["a='00:00:00'", "a='23:59:59'", ""])
    #expect(
      try Self.values(memory, memory.fixed("a", "ttn", [1 as Int64, 1_000_000, 1_000]))
        == ["a='00:00:00.000000001'", "a='00:00:00.001'", "a='00:00:00.000001'"])
    #expect(
      try Self.values(memory, memory.fixed("a", "tsm:", [1_709_210_096_789 as Int64, -1, 0]))
        == ["a='2024-02-29T12:34:56.789'", "a='1969-12-31T23:59:59.999'", "a='1970-01-01T00:00:00'"])
    for zone in ["UTC", "Z", "+00:00", "Europe/Berlin"] {
      #expect(
        try Self.values(memory, memory.fixed("a", "tsu:\(zone)", [1 as Int64, 0, nil]))
          == ["a='1970-01-01T00:00:00.000001Z'", "a='1970-01-01T00:00:00Z'", ""])
    }
    #expect(
      try Self.values(memory, memory.fixed("a", "tss:-03:30", [0 as Int64, .max, .min]))
        == [
          "a='1969-12-31T20:30:00-03:30'", "a='+292277026596-12-04T12:00:07-03:30'",
          "a='-292277022657-01-27T08:29:52Z'",
        ])
  }

  @Test func timesThatNoDayHasAreNotedAndLeftOut() throws {
    let memory = ArrowMemory()
    let batch = try Self.read(
      try Self.batch(memory, [memory.fixed("at", "ttm", [86_400_000 as Int32, -1, 5])]))
    #expect(Self.properties(batch.data) == [[], [], ["at='00:00:00.005'"]])
    #expect(batch.notes.map(\.column) == ["at"])
    #expect(batch.notes.map(\.count) == [2])
  }

  @Test func textThatIsNotUTF8IsRepairedAndNoted() throws {
    let memory = ArrowMemory()
    let bad: [UInt8] = [0x61, 0xff, 0x62]
    for format in ["u", "U", "vu"] {
      let batch = try Self.read(
        try Self.batch(memory, [memory.runs("name", format, [bad, Array("bücher".utf8), nil])]))
      #expect(Self.properties(batch.data) == [["name='a\u{fffd}b'"], ["name='bücher'"], []])
      #expect(batch.notes.count == 1 && batch.notes[0].count == 1)
    }
  }

  @Test func dictionariesGiveTheirValues() throws {
    let memory = ArrowMemory()
    for format in ["c", "C", "s", "i", "L"] {
      let values = memory.texts("", ["x", nil, "a longer text than twelve", "y"], "u", offset: 1)
      let indices: ArrowColumn =
        switch format {
        case "c", "C":
          memory.column(
            "a", format, length: 3, nulls: [false, false, true],
            buffers: [memory.bytes([1, 0, 0] as [UInt8])], dictionary: values)
        case "s":
          memory.column(
            "a", format, length: 3, nulls: [false, false, true],
            buffers: [memory.bytes([1, 0, 0] as [Int16])], dictionary: values)
        case "i":
          memory.column(
            "a", format, length: 3, nulls: [false, false, true],
            buffers: [memory.bytes([1, 0, 0] as [Int32])], dictionary: values)
        default:
          memory.column(
            "a", format, length: 3, nulls: [false, false, true],
            buffers: [memory.bytes([1, 0, 0] as [UInt64])], dictionary: values)
        }
      #expect(try Self.values(memory, indices) == ["a='a longer text than twelve'", "", ""])
    }
    for wrong in [-1, 4] {
      let indices = memory.column(
        "a", "i", length: 3, buffers: [memory.bytes([0, Int32(wrong), 0])],
        dictionary: memory.texts("", ["x", "y", "z", "w"]))
      let error = #expect(throws: NeatError.self) { try Self.values(memory, indices) }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message == "Arrow batch, row 1, column \"a\": an index that its dictionary lacks")
    }
  }

  @Test func nestedTypesAreJSON() throws {
    let memory = ArrowMemory()
    let numbers = memory.fixed("item", "i", [1, nil, 3, 4, 5, 6] as [Int32?])
    #expect(try Self.values(memory, memory.list("a", [2, 0, nil], numbers)) == ["a=[1,null]", "a=[]", ""])
    #expect(try Self.values(memory, memory.list("a", [1, 2, 3], numbers, isLong: true))[2] == "a=[4,5,6]")
    let pairs = memory.column("a", "+w:2", length: 3, buffers: [], children: [numbers])
    #expect(try Self.values(memory, pairs) == ["a=[1,null]", "a=[3,4]", "a=[5,6]"])
    let inner = memory.structure(
      "a", 4,
      [
        memory.texts("t\"\n", ["-", "q\"\\\u{1}", nil, "é"]),
        memory.fixed("f", "f", [0 as Float, 0.1, .infinity, .nan]),
        memory.fixed("d", "tdD", [0 as Int32, 0, 1, nil]), memory.bools("b", [nil, true, false, nil]),
        memory.list("l", [0, 1, 0, 0], memory.texts("", ["x"])),
      ], offset: 1)
    #expect(
      try Self.values(memory, inner) == [
        #"a={"t\"\n":"q\"\\\u0001","f":0.1,"d":"1970-01-01","b":true,"l":["x"]}"#,
        #"a={"t\"\n":null,"f":null,"d":"1970-01-02","b":false,"l":[]}"#,
        #"a={"t\"\n":"é","f":null,"d":null,"b":null,"l":[]}"#,
      ])
    for (keys, expected) in [
      (memory.texts("key", ["k", "l", "m"]), #"a={"k":1.5,"l":null}"#),
      (memory.fixed("key", "i", [1, 2, 3] as [Int32?]), #"a={"1":1.5,"2":null}"#),
    ] {
      let entries = memory.structure("entries", 3, [keys, memory.fixed("value", "g", [1.5, nil, 2])])
      let map = memory.column(
        "a", "+m", length: 3, nulls: [false, true, false],
        buffers: [memory.bytes([0, 2, 2, 3] as [Int32])], children: [entries])
      #expect(try Self.values(memory, map)[0] == expected)
    }
  }

  @Test func offsetsOfBatchesAndColumnsAddUp() throws {
    let memory = ArrowMemory()
    let shapes: [String?] = (0..<6).map { #"{"type":"Point","coordinates":[\#($0),0]}"# }
    let batch = memory.batch(
      5,
      [
        memory.fixed("n", "s", [0, 10, nil, 30, 40, 50] as [Int16?], offset: 1),
        memory.texts("t", ["a", "b", "c", nil, "e", "f"], "vu", offset: 1),
        try memory.geometry("geometry", shapes),
        memory.bools("b", [true, true, false, true, true, false]),
      ], offset: 2, nulls: [false, false, false, false, true])
    let data = try Self.read(batch).data
    #expect(data.featureCount == 3)
    #expect(Self.properties(data) == [["n=30u", "b=false"], ["n=40u", "t='e'", "b=true"], []])
    withExtendedLifetime(data) {
      #expect(data.pointCount == 2 && data.points[0].x == 2 && data.points[1].x == 3)
      #expect(data.hasProperties[2] == 0)
    }
  }

  @Test func whatIsNoPropertyIsListed() throws {
    let memory = ArrowMemory()
    let batch = try Self.batch(
      memory,
      [
        memory.runs("raw", "Z", [[1], nil, [2]]),
        memory.column("w", "w:4", length: 3, buffers: [nil]),
        memory.column("took", "tDn", length: 3, buffers: [nil]),
        memory.fixed("twice", "i", [1, 2, 3] as [Int32?]), memory.fixed("twice", "i", [4, 5, 6] as [Int32?]),
        memory.list("blobs", [0, 0, 0], memory.runs("item", "z", [])),
        memory.column(
          "u", "+ud:0", length: 3, buffers: [nil], children: [memory.bools("x", [nil, nil, nil])]),
      ])
    let reader = try ArrowReader(schema: batch.schema)
    #expect(
      reader.leftOut == [
        ArrowNote(column: "raw", reason: "of type binary"), ArrowNote(column: "w", reason: "of type binary"),
        ArrowNote(column: "took", reason: "of type duration"),
        ArrowNote(column: "twice", reason: "a later column has the same name"),
        ArrowNote(column: "blobs", reason: #"with a member "item" of type binary"#),
        ArrowNote(column: "u", reason: "of type union"),
      ])
    #expect(Self.properties(try reader.read(batch.array).data) == [["twice=4u"], ["twice=5u"], ["twice=6u"]])
  }

  @Test func theGeometryColumnIsFound() throws {
    let memory = ArrowMemory()
    let bytes = try Self.points.map { try $0.map { try wkb($0) } }
    let plain = { (name: String) in memory.runs(name, "z", bytes) }
    let marked = { (name: String, mark: String) in
      memory.runs(name, "z", bytes, metadata: [("other", "x"), ("ARROW:extension:name", mark)])
    }
    func found(_ columns: [ArrowColumn], _ name: String? = nil) throws(NeatError) -> String {
      try ArrowReader(schema: memory.batch(3, columns).schema, geometry: name).geometryName
    }
    #expect(try found([plain("a"), marked("b", "ogc.wkb")]) == "b")
    #expect(try found([plain("a"), memory.bools("geometry", [])]) == "a")
    #expect(try found([plain("a"), plain("wkb_geometry")]) == "wkb_geometry")
    #expect(try found([marked("a", "geoarrow.wkb"), marked("geom", "geoarrow.wkb")]) == "geom")
    #expect(try found([marked("a", "geoarrow.wkb"), plain("b")], "b") == "b")
    for (columns, name, words) in [
      ([plain("a"), plain("b")], nil, #"("a", "b"): name one"#),
      ([memory.bools("x", [])], nil, "no column is a geometry; there are x"),
      ([], nil, "there are no columns"),
      ([plain("a")], "b", #"no column "b"; there are a"#),
      ([memory.texts("geometry", [])], nil, "this is utf8"),
      ([plain("a"), memory.bools("x", [])], "x", "this is boolean"),
    ] as [([ArrowColumn], String?, String)] {
      let error = #expect(throws: NeatError.self) { try found(columns, name) }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    }
    for mark in ["geoarrow.wkt", "geoarrow.geometry", "geoarrow.geometrycollection"] {
      let error = #expect(throws: NeatError.self) { try found([marked("a", mark)]) }
      #expect(error?.code == .unsupported)
      #expect(error?.message.contains("geoarrow.wkb") == true)
    }
  }

  @Test func otherCoordinateSystemsAreRefusedByName() throws {
    let memory = ArrowMemory()
    func read(_ metadata: String) throws(NeatError) -> ArrowReader {
      let column = memory.runs(
        "g", "z", [],
        metadata: [("ARROW:extension:name", "geoarrow.wkb"), ("ARROW:extension:metadata", metadata)])
      return try ArrowReader(schema: memory.batch(0, [column]).schema)
    }
    for (metadata, name) in [
      (#"{"crs":{"type":"ProjectedCRS","id":{"authority":"EPSG","code":25832}}}"#, "EPSG:25832"),
      (#"{"crs":"EPSG:3857","crs_type":"authority_code"}"#, "EPSG:3857"),
    ] {
      let error = #expect(throws: NeatError.self) { try read(metadata) }
      #expect(error?.code == .unsupported)
      #expect(error?.message.contains(name) == true)
    }
    for metadata in [
      "", "{}", "no JSON", #"{"crs":null}"#, #"{"crs":"OGC:CRS84"}"#, #"{"crs":{"name":"something"}}"#,
      #"{"crs":{"id":{"authority":"EPSG","code":4326}}}"#,
      #"{"crs":{"id":{"authority":"OGC","code":"CRS84"}}}"#,
    ] {
      _ = try read(metadata)
    }
  }

  @Test func idsComeFromTheirColumn() throws {
    let memory = ArrowMemory()
    let columns = [
      memory.fixed("n", "i", [7, -1, nil] as [Int32?]), memory.texts("t", ["a", "12", nil]),
      memory.bools("b", [true, false, nil]),
    ]
    let batch = try Self.batch(memory, columns)
    func ids(_ name: String?) throws -> [GeoJSONID?] {
      let data = try Self.read(batch, id: name).data
      return withExtendedLifetime(data) { (0..<3).map { GeoJSONID(data.ids[$0]) } }
    }
    #expect(try ids("n") == [.uint(7), .int(-1), nil])
    #expect(try Self.read(batch, id: "n").data.keys == ["t", "b"])
    #expect(try ids("t") == [.string("a"), .string("12"), nil])
    #expect(try ids(nil) == [nil, nil, nil])
    for (name, words) in [
      ("b", "not boolean"), ("x", "no column \"x\" for ids"), ("geometry", "not binary"),
    ] {
      let error = #expect(throws: NeatError.self) { try Self.read(batch, id: name) }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    }
  }

  @Test func faultsNameRowAndColumn() throws {
    let memory = ArrowMemory()
    let good = try wkb(#"{"type":"Point","coordinates":[1,2]}"#)
    let batch = memory.batch(2, [memory.runs("shape", "z", [good, Array(good.dropLast())])])
    let error = #expect(throws: NeatError.self) { try Self.read(batch, firstRow: 1000) }
    #expect(error?.code == .geojson)
    #expect(
      error?.message
        == "Arrow batch, row 1001, column \"shape\": WKB: the bytes end before the geometry does (byte 5)")
  }

  @Test func aReaderTakesBatchAfterBatch() throws {
    let memory = ArrowMemory()
    let first = try Self.batch(memory, [memory.fixed("n", "i", [1, 2, 3] as [Int32?])])
    let second = try Self.batch(memory, [memory.fixed("n", "i", [4, 5, 6] as [Int32?])])
    let reader = try ArrowReader(schema: first.schema)
    #expect(Self.properties(try reader.read(first.array).data)[0] == ["n=1u"])
    #expect(Self.properties(try reader.read(second.array).data)[0] == ["n=4u"])
    let empty = memory.batch(
      0,
      [
        memory.column("geometry", "z", length: 0, buffers: [nil, nil]),
        memory.fixed("n", "i", [] as [Int32?]),
      ])
    #expect(try reader.read(empty.array).data.featureCount == 0)
  }

  @Test func theDataOutlivesTheBatch() throws {
    var data: GeoJSONData?
    do {
      let memory = ArrowMemory()
      data = try Self.read(
        try Self.batch(memory, [memory.texts("t", ["some text of more bytes", "b", nil])])
      ).data
    }
    #expect(Self.properties(data!)[0] == ["t='some text of more bytes'"])
  }
}
