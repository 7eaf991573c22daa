import NeatBase

/// The public suites beside the checkout; nil where they are not there.
package enum SharedFiles {
  /// The folder `shared` beside the package; nil where it is not there.
  package static let root: String? = {
    var parts = #filePath.split(separator: "/").map(String.init)
    while !parts.isEmpty {
      parts.removeLast()
      let folder = "/" + parts.joined(separator: "/")
      guard access(folder + "/Package.swift", R_OK) == 0 else { continue }
      let shared = "/" + parts.dropLast().joined(separator: "/") + "/shared"
      return access(shared, R_OK) == 0 ? shared : nil
    }
    return nil
  }()

  /// The path of a file or folder in it; nil where it is not there.
  package static func path(_ name: String) -> String? {
    guard let path = root.map({ $0 + "/" + name }), access(path, R_OK) == 0 else { return nil }
    return path
  }

  package static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = fread(&block, 1, block.count, file)
      if count == 0 { return bytes }
      bytes += block[..<count]
    }
  }

  /// Names in a folder, sorted; hidden ones left out.
  package static func list(_ folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      // In place: an entry has only the bytes of its name, fewer than d_name is declared with.
      let place = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
      let name = String(cString: place.assumingMemoryBound(to: CChar.self))
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// Paths of all files of that name below a folder, sorted.
  package static func find(_ name: String, in folder: String) -> [String] {
    var result: [String] = []
    for child in list(folder) {
      if child == name {
        result.append(folder + "/" + child)
      } else {
        result += find(name, in: folder + "/" + child)
      }
    }
    return result
  }
}
