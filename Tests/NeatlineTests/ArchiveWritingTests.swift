import Neatline
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Archives written through the Swift module and the command line.
struct ArchiveWritingTests {
  /// A folder that goes away with its contents.
  private final class Folder {
    let path: String

    init() {
      var template = Array("/tmp/neatline-XXXXXX".utf8CString)
      path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    }

    deinit {
      for name in names { unlink(path + "/" + name) }
      rmdir(path)
    }

    var names: [String] {
      guard let folder = opendir(path) else { return [] }
      defer { closedir(folder) }
      var names: [String] = []
      while let entry = readdir(folder) {
        // In place: an entry has only the bytes of its name, fewer than d_name is declared with.
        let place = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
        let name = String(cString: place.assumingMemoryBound(to: CChar.self))
        if name != "." && name != ".." { names.append(name) }
      }
      return names.sorted()
    }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ name: String, _ text: String) -> String {
      if let file = fopen(file(name), "wb") {
        fputs(text, file)
        fclose(file)
      }
      return file(name)
    }

    func read(_ name: String) -> [UInt8] {
      guard let file = fopen(file(name), "rb") else { return [] }
      defer { fclose(file) }
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = fread(&chunk, 1, chunk.count, file)
        if count == 0 { return bytes }
        bytes += chunk[..<count]
      }
    }
  }

  private static func grid(_ count: Int) -> String {
    let features = (0..<count).map { index in
      let (x, y) = (Double(index % 37) * 9 - 165, Double(index / 37 % 29) * 5 - 70)
      return """
        {"type":"Feature","properties":{"n":\(index)},"geometry":{"type":"Polygon","coordinates":
          [[[\(x),\(y)],[\(x + 8),\(y)],[\(x + 8),\(y + 4)],[\(x),\(y + 4)],[\(x),\(y)]]]}}
        """
    }
    return #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}"
  }

  @Test func aWriterMakesAnArchiveThatReadsBack() throws {
    let folder = Folder()
    for name in ["a.pmtiles", "a.mbtiles"] {
      let writer = try ArchiveWriter(path: folder.file(name), tileFormat: "png")
      #expect(writer.cursor == nil)
      try writer.add(z: 1, x: 1, y: 0, [1, 2, 3])
      try writer.add(z: 0, x: 0, y: 0, [4])
      #expect(throws: NeatlineError.self) { try writer.add(z: 1, x: 5, y: 0, [1]) }
      #expect(throws: NeatlineError.self) { try writer.add(z: 1, x: 0, y: 0, []) }
      try writer.finish(tileJSON: ["name": "Mine", "bounds": [0, 0, 10, 10]])
      let archive = try Archive(path: folder.file(name))
      #expect(try archive.tile(z: 1, x: 1, y: 0) == [1, 2, 3])
      #expect(try archive.tile(z: 1, x: 0, y: 0) == nil)
      let info = try archive.info
      #expect(
        info["name"] == "Mine" && info["format"] == "png" && info["maxzoom"] == 1
          && info["bounds"] == [0, 0, 10, 10])
      #expect(info["header"]?["archive"]?.string == String(name.dropFirst(2)))
    }
    #expect(throws: NeatlineError.self) { try ArchiveWriter(path: folder.file("a.zip")) }
    #expect(throws: NeatlineError.self) {
      try ArchiveWriter(path: folder.file("a.pmtiles"), tileFormat: "bmp")
    }
    #expect(folder.names == ["a.mbtiles", "a.pmtiles"])
  }

  @Test func aWriterContinuesItsJob() throws {
    let folder = Folder()
    do {
      let writer = try ArchiveWriter(path: folder.file("a.pmtiles"), tileFormat: "png", job: "mine")
      try writer.add(z: 0, x: 0, y: 0, [4])
      try writer.checkpoint(cursor: 77)
    }
    #expect(throws: NeatlineError.self) { try Archive(path: folder.file("a.pmtiles.partial")) }
    let writer = try ArchiveWriter(path: folder.file("a.pmtiles"), tileFormat: "png", job: "mine")
    #expect(writer.cursor == 77)
    try writer.finish()
    #expect(try Archive(path: folder.file("a.pmtiles")).tile(z: 0, x: 0, y: 0) == [4])
  }

  @Test func jobsGoFromGeoJSONOverBothFormats() throws {
    let folder = Folder()
    let source = folder.write("grid.geojson", Self.grid(100))
    var options = ArchiveWriteOptions()
    options.zooms = 0...4
    var last: ArchiveProgress?
    let made = try Archive.tile(
      [GeoJSONLayerSource(name: "grid", url: source)], to: folder.file("a.pmtiles"), options: options
    ) {
      last = $0
      return true
    }
    #expect(made.tiles > 50 && last?.doneTiles == made.tiles && (last?.bytes ?? 0) > 0)
    let copied = try Archive.copy(from: folder.file("a.pmtiles"), to: folder.file("b.mbtiles"))
    #expect(copied.tiles == made.tiles)
    let part = try Archive.copy(
      from: folder.file("b.mbtiles"), to: folder.file("c.pmtiles"),
      bounds: GeographicBounds(west: -170, south: -75, east: -150, north: -60)
    )
    #expect(part.tiles > 0 && part.tiles < made.tiles)
    let tile = try #require(try Archive(path: folder.file("c.pmtiles")).tile(z: 0, x: 0, y: 0))
    #expect(try Tile(decoding: tile).layers.map(\.name) == ["grid"])
    #expect {
      try Archive.copy(from: folder.file("a.pmtiles"), to: folder.file("d.pmtiles")) { _ in false }
    } throws: {
      ($0 as? NeatlineError)?.status == .cancelled
    }
    #expect { try Archive.copy(from: folder.file("no.pmtiles"), to: folder.file("d.pmtiles")) } throws: {
      ($0 as? NeatlineError)?.status == .notFound && "\($0)".contains("no.pmtiles")
    }
    #expect { try Archive.copy(from: source, to: folder.file("d.pmtiles")) } throws: {
      ($0 as? NeatlineError)?.status == .archive
    }
    #expect(access(folder.file("d.pmtiles"), F_OK) != 0)
  }

  // MARK: The command line

  /// The program beside the tests, where the build made it.
  private static let program: String? = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    // The tests run inside a program of the toolchain or from their own bundle; the bundle's folder is that
    // of the arguments.
    var candidates = CommandLine.arguments
    if count > 0 {
      candidates.append(String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    for path in candidates {
      guard let slash = path.lastIndex(of: "/") else { continue }
      let program = String(path[..<slash]) + "/neatline"
      if access(program, X_OK) == 0 { return program }
    }
    return nil
  }()

  private func spawn(_ arguments: [String]) throws -> pid_t {
    let program = try #require(Self.program)
    var pid = pid_t()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    #expect(posix_spawn(&pid, program, &actions, nil, &words, environ) == 0)
    return pid
  }

  /// How a process ended: its exit status, or minus the signal.
  private func wait(_ pid: pid_t) -> Int32 {
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
  }

  private static let absent: Comment = "needs the program neatline beside the tests"

  @Test(.enabled(if: program != nil, absent), arguments: ["pmtiles", "mbtiles"])
  func aKilledCommandLeavesNoBrokenArchiveAndIsContinued(kind: String) throws {
    let folder = Folder()
    let source = folder.write("grid.geojson", Self.grid(1000))
    let out = folder.file("a.\(kind)")
    _ = folder.write("a.\(kind)", "the old file")
    let tile = ["tile", source, out, "--zoom", "0-7", "--force"]
    for signal in [SIGKILL, SIGTERM, SIGKILL, SIGINT] {
      let pid = try spawn(tile)
      // Long enough to have begun; the whole takes seconds.
      for _ in 0..<200 where access(out + ".partial", F_OK) != 0 { usleep(5000) }
      usleep(20_000)
      kill(pid, signal)
      let end = wait(pid)
      if end == 0 { break }
      #expect(end == -signal || end == 1)
      #expect(folder.read("a.\(kind)") == Array("the old file".utf8))
      #expect(throws: NeatlineError.self) { try Archive(path: out + ".partial") }
    }
    #expect(wait(try spawn(tile)) == 0)
    #expect(wait(try spawn(["tile", source, folder.file("b.\(kind)"), "--zoom", "0-7"])) == 0)
    #expect(folder.names == ["a.\(kind)", "b.\(kind)", "grid.geojson"])
    if kind == "pmtiles" { #expect(folder.read("a.pmtiles") == folder.read("b.pmtiles")) }
    let (a, b) = (try Archive(path: out), try Archive(path: folder.file("b.\(kind)")))
    for x in 0..<64 { #expect(try a.tile(z: 6, x: x, y: 40) == b.tile(z: 6, x: x, y: 40)) }
  }

  @Test(.enabled(if: program != nil, absent)) func commandsEndWithTheirStatus() throws {
    let folder = Folder()
    let source = folder.write("grid.geojson", Self.grid(50))
    #expect(
      wait(
        try spawn([
          "tile", source, folder.file("a.pmtiles"), "--zoom", "0-3", "--layer", "g", "--name", "Grid",
        ])) == 0)
    #expect(wait(try spawn(["convert", folder.file("a.pmtiles"), folder.file("a.mbtiles"), "--plain"])) == 0)
    #expect(
      wait(
        try spawn([
          "extract", folder.file("a.mbtiles"), "-o", folder.file("b.pmtiles"), "--zoom", "1", "--bbox",
          "-170,-80,0,0",
        ])) == 0)
    let info = try Archive(path: folder.file("b.pmtiles")).info
    #expect(info["name"] == "Grid" && info["minzoom"] == 1 && info["maxzoom"] == 1)
    for arguments in [
      ["convert"], ["convert", source, folder.file("x.pmtiles")],
      ["extract", folder.file("a.pmtiles"), folder.file("x.pmtiles")],
      ["extract", folder.file("a.pmtiles"), folder.file("x.pmtiles"), "--bbox", "1,2,3"], ["tile", source],
      ["tile", source, folder.file("x.pmtiles"), "--zoom", "5-3"], ["convert", "a", "b", "--format", "zip"],
    ] {
      #expect(wait(try spawn(arguments)) == 2, "\(arguments)")
    }
    for arguments in [
      ["convert", folder.file("none.pmtiles"), folder.file("x.pmtiles")],
      ["convert", folder.file("a.pmtiles"), folder.file("x.zip")],
      ["extract", folder.file("a.pmtiles"), folder.file("x.pmtiles"), "--zoom", "9"],
    ] {
      #expect(wait(try spawn(arguments)) == 1, "\(arguments)")
    }
    #expect(!folder.names.contains { $0.hasPrefix("x.") })
  }

  @Test(.enabled(if: program != nil, absent)) func convertBringsStylesUpToDate() throws {
    let folder = Folder()
    let text =
      #"{"version":8,"odd":1,"sources":{},"layers":[{"id":"a","type":"fill","filter":["in","c",1,2],"paint":{"fill-opacity":0.5}}]}"#
    let style = folder.write("style.json", text)
    #expect(wait(try spawn(["convert", style, "-o", folder.file("out.json")])) == 0)
    let result = try JSONValue(parsing: folder.read("out.json"))
    #expect(result["odd"] == 1)
    #expect(result["layers"]?[0]?["filter"]?.text == #"["match",["get","c"],[1,2],true,false]"#)
    #expect(wait(try spawn(["convert", style, folder.file("x.json"), "--plain"])) == 2)
    #expect(!folder.names.contains("x.json"))
  }
}
