import NeatBase

/// A folder that goes away with its contents.
package final class WorkFolder: Sendable {
  package let path: String

  package init() {
    var template = Array("/tmp/neat-jobs-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
  }

  deinit {
    for name in names { unlink(path + "/" + name) }
    rmdir(path)
  }

  package var names: [String] {
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

  package func file(_ name: String) -> String { path + "/" + name }

  package func write(_ name: String, _ bytes: [UInt8]) -> String {
    let path = file(name)
    if let file = fopen(path, "wb") {
      fwrite(bytes, 1, bytes.count, file)
      fclose(file)
    }
    return path
  }

  package func read(_ name: String) -> [UInt8] { SharedFiles.read(file(name)) ?? [] }
}
