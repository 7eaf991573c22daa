import Testing

@testable import NeatBase

@Suite struct ProcessTests {
  /// A folder of files that is gone when released.
  private final class Folder {
    let path: String
    init() {
      var template = Array("/tmp/neatline-process-XXXXXX".utf8CString)
      path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    }
    func write(_ name: String, _ text: String) {
      var folder = path
      for part in name.split(separator: "/").dropLast() {
        folder += "/" + part
        mkdir(folder, 0o755)
      }
      let file = fopen(path + "/" + name, "w")
      fputs(text, file)
      fclose(file)
    }
    deinit { _ = system("rm -rf '\(path)'") }
  }

  private func limit(_ membership: String, _ files: [String: String]) -> Int {
    let folder = Folder()
    folder.write("self", membership)
    for (name, text) in files { folder.write("groups/" + name, text) }
    return ControlGroup.memoryLimit(root: folder.path + "/groups", membership: folder.path + "/self")
  }

  @Test func controlGroupsOfVersion2() {
    #expect(
      limit("0::/a/b\n", ["memory.max": "max\n", "a/memory.max": "5000000\n", "a/b/memory.max": "max\n"])
        == 5_000_000)
    #expect(limit("0::/a/b\n", ["a/memory.max": "5000000\n", "a/b/memory.max": "4000000\n"]) == 4_000_000)
    // In a container the group's own folder is the root.
    #expect(limit("0::/\n", ["memory.max": "300000000\n"]) == 300_000_000)
    #expect(limit("0::/../../x\n", ["memory.max": "300000000\n"]) == 300_000_000)
    #expect(limit("0::/a\n", [:]) == .max)
    #expect(limit("", [:]) == .max)
  }

  @Test func controlGroupsOfVersion1() {
    let lines = "12:cpu,cpuacct:/a\n7:memory:/docker/x\n0::/\n"
    #expect(limit(lines, ["memory/docker/x/memory.limit_in_bytes": "70000000\n"]) == 70_000_000)
    // What the kernel says for no limit.
    #expect(limit(lines, ["memory/docker/x/memory.limit_in_bytes": "9223372036854771712\n"]) == .max)
    #expect(limit(lines, ["memory/memory.limit_in_bytes": "80000000\n"]) == 80_000_000)
    for text in ["99999999999999999999999999\n", "", "-1\n", "0\n", "max"] {
      #expect(limit(lines, ["memory/docker/x/memory.limit_in_bytes": text]) == .max, "\(text)")
    }
    #expect(limit("7:memory", [:]) == .max && limit("7:memory:", [:]) == .max && limit("::", [:]) == .max)
  }

  @Test func processHasMemoryAndNeedsIt() throws {
    let use = ProcessUse.current()
    #expect(use.pages > 1 << 20 && use.addresses >= use.pages)
    #expect(ProcessMemory.allowed > use.pages)
    try ProcessMemory.require(ProcessMemory.largeBlock, for: "a block")
    let error = #expect(throws: NeatError.self) { try ProcessMemory.require(.max / 2, for: "a block") }
    #expect(
      error?.code == .outOfMemory && error?.message.contains("a block needs \(Int.max / 2) bytes") == true)
  }

  @Test func objectsOfAProcessAreFreedOnce() {
    final class Watched: Sendable {
      let freed: @Sendable () -> Void
      init(_ freed: @escaping @Sendable () -> Void) { self.freed = freed }
      deinit { freed() }
    }
    nonisolated(unsafe) var count = 0
    do {
      let object = PerProcess(Watched { count += 1 })
      for _ in 0..<3 { _ = object.get { _ in Watched { count += 100 } } }
      #expect(count == 0)
    }
    #expect(count == 1)
  }
}
