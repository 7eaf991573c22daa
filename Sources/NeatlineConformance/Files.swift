import Glibc

struct Failure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// Files and folders by the C library.
enum Files {
  static func read(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
    defer { fclose(file) }
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return result }
      result += chunk[..<count]
    }
  }

  static func text(_ path: String) throws -> String { String(decoding: try read(path), as: UTF8.self) }

  static func write(_ path: String, _ bytes: [UInt8]) throws {
    makeFolder(path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/"))
    guard let file = fopen(path, "wb") else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Failure("\(path): write failed") }
  }

  static func makeFolder(_ path: String) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/" + part
      mkdir(made, 0o777)
    }
  }

  /// Names in a folder, sorted; without those that start with a dot.
  static func list(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var result: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { result.append(name) }
    }
    return result.sorted()
  }

  static func isFolder(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func absolute(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Folders below `root` that hold a file, by their paths within it, sorted.
  static func folders(holding file: String, below root: String, at inner: String = "") -> [String] {
    let here = inner.isEmpty ? root : root + "/" + inner
    if !inner.isEmpty, exists(here + "/" + file) { return [inner] }
    return list(here).flatMap { name in
      let next = inner.isEmpty ? name : inner + "/" + name
      return isFolder(root + "/" + next) ? folders(holding: file, below: root, at: next) : []
    }
  }
}
