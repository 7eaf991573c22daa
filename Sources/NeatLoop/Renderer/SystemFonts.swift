import NeatBase

/// Font files that the system has, for styles without a glyph server: a plain sans serif of wide coverage, then others for the scripts it lacks.
package enum SystemFonts {
  private static let folders = ["/usr/share/fonts", "/usr/local/share/fonts"]
  /// Files in the order in which they serve: the first that has a character draws it.
  private static let names = [
    "NotoSans-Regular.ttf", "DejaVuSans.ttf", "LiberationSans-Regular.ttf", "FreeSans.ttf", "NotoNaskhArabic-Regular.ttf",
    "NotoSansArabic-Regular.ttf", "NotoSansDevanagari-Regular.ttf", "NotoSansHebrew-Regular.ttf", "NotoSansThai-Regular.ttf",
    "NotoSansCJK-Regular.ttc", "DroidSansFallbackFull.ttf",
  ]
  /// Folders looked into at most.
  private static let folderLimit = 2000

  /// The paths of the fonts that are there, best first.
  package static func paths() -> [String] {
    var found: [String: String] = [:]
    var open = folders
    var visited = 0
    while let folder = open.popLast(), visited < folderLimit {
      visited += 1
      guard let directory = opendir(folder) else { continue }
      defer { closedir(directory) }
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard !name.hasPrefix(".") else { continue }
        let path = folder + "/" + name
        if names.contains(name) { if found[name] == nil { found[name] = path } } else if isFolder(path) { open.append(path) }
      }
    }
    return names.compactMap { found[$0] }
  }

  private static func isFolder(_ path: String) -> Bool {
    var info = stat()
    return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
  }
}
