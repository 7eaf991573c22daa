import Neatline

/// Fonts of folders: glyph ranges (`NAME/0-255.pbf`, as tileserver-gl has them), and font files (TTF, OTF), whose
/// ranges are drawn when they are asked for.
final class FontSite: Sendable {
  private let folders: [String: String]
  private let files: FontFiles
  /// Fonts of one stack.
  private static let stackLimit = 16
  /// In their order.
  let names: [String]
  /// Font files that are fonts: what pictures are drawn with where a style has no range of a folder.
  var paths: [String] { files.paths }

  init(_ places: [String]) {
    var folders: [String: String] = [:]
    var files: [String] = []
    for place in places {
      for name in Platform.names(in: place) ?? [] {
        let path = "\(place)/\(name)"
        if Platform.isFolder(path) {
          if folders[name] == nil, Platform.stamp("\(path)/0-255.pbf") != nil { folders[name] = path }
          files += (Platform.names(in: path) ?? []).map { "\(path)/\($0)" }.filter(FontSite.isFont)
        } else if FontSite.isFont(path) {
          files.append(path)
        }
      }
    }
    self.folders = folders
    self.files = FontFiles(files)
    names = Set(folders.keys).union(self.files.names).sorted()
  }

  private static func isFont(_ path: String) -> Bool {
    let name = path.lowercased()
    return [".ttf", ".otf", ".ttc", ".otc"].contains { name.hasSuffix($0) }
  }

  /// The range of a stack, `A,B`: glyphs of the first font that has them.
  func range(_ stack: String, _ range: String) -> HTTPAnswer {
    let ends = range.split(separator: "-").compactMap { Int($0) }
    guard ends.count == 2, ends[0] % 256 == 0, ends[1] == ends[0] + 255, (0...65280).contains(ends[0]),
      "\(ends[0])-\(ends[1])" == range
    else { return .text(400, "\"\(range)\" is no range of 256 characters, such as 0-255\n") }
    // The stack as a whole may have a folder of its own.
    let wanted = folders[stack] != nil ? [stack] : stack.split(separator: ",").map { String($0).trimmed }
    guard wanted.count <= FontSite.stackLimit else {
      return .text(400, "a stack of \(wanted.count) fonts; \(FontSite.stackLimit) are the most\n")
    }
    var seen: Set<String> = []
    let known = wanted.filter { seen.insert($0).inserted }.filter {
      folders[$0] != nil || files.has($0)
    }
    guard !known.isEmpty else { return .text(404, "none of the fonts of \"\(stack)\" is here\n") }
    let parts = known.compactMap { name in
      if let folder = folders[name] { return try? Platform.readFile("\(folder)/\(range).pbf") }
      return files.range(name, ends[0])
    }
    guard !parts.isEmpty else { return .text(404, "no font of \"\(stack)\" has the range \(range)\n") }
    guard let merged = parts.count == 1 ? parts[0] : FontSite.merged(parts, stack, first: ends[0]) else {
      return .text(500, "a range \(range) of \"\(stack)\" is no glyph range\n")
    }
    return HTTPAnswer(status: 200, type: "application/x-protobuf", body: merged).named()
  }

  /// Ranges as one; nil where one of them is none.
  private static func merged(_ parts: [[UInt8]], _ stack: String, first: Int) -> [UInt8]? {
    guard let fonts = try? Fonts() else { return nil }
    do throws(NeatlineError) {
      // What is added later stands before what is there.
      for part in parts.reversed() { try fonts.addRange(part, stack: stack) }
      return try fonts.range(first, stack: stack)
    } catch {
      return nil
    }
  }
}

/// Font files, each alone, by the name that is in it. Any thread.
private final class FontFiles: @unchecked Sendable {  // one thread at a time is inside `fonts`
  private let lock = Lock()
  private var fonts: [String: Fonts] = [:]
  /// The whole names of upright faces of normal weight, by what styles call them as well: `DejaVu Sans` and
  /// `DejaVu Sans Regular` of `DejaVu Sans Book`.
  private let plainNames: [String: String]
  /// Ranges that were drawn, which takes long; the least recent go first.
  private var drawn: [(name: String, first: Int, bytes: [UInt8])] = []
  private static let drawnLimit = 256
  let names: Set<String>
  /// Those that are fonts.
  let paths: [String]

  /// Files that are no fonts are told and left out.
  init(_ paths: [String]) {
    var fonts: [String: Fonts] = [:]
    var known: [String] = []
    for path in paths {
      do {
        let font = try Fonts()
        try font.addFile(try Platform.readFile(path))
        for name in try font.names where fonts[name] == nil { fonts[name] = font }
        known.append(path)
      } catch {
        Console.warning("\(path): \(error)")
      }
    }
    self.fonts = fonts
    self.paths = known
    names = Set(fonts.keys)
    var plain: [String: String] = [:]
    for name in fonts.keys.sorted() {
      guard let word = FontFiles.plainWords.first(where: { name.hasSuffix($0) }) else { continue }
      let family = String(name.dropLast(word.count))
      for other in [family, family + " Regular"] where fonts[other] == nil && plain[other] == nil {
        plain[other] = name
      }
    }
    plainNames = plain
  }

  private static let plainWords = [" Regular", " Book", " Roman", " Normal"]

  func has(_ name: String) -> Bool { names.contains(name) || plainNames[name] != nil }

  func range(_ given: String, _ first: Int) -> [UInt8]? {
    let name = plainNames[given] ?? given
    return lock.locked {
      if let index = drawn.firstIndex(where: { $0.name == name && $0.first == first }) {
        drawn.append(drawn.remove(at: index))
        return drawn.last?.bytes
      }
      guard let bytes = try? fonts[name]?.range(first, stack: name) else { return nil }
      drawn.append((name, first, bytes))
      if drawn.count > FontFiles.drawnLimit { drawn.removeFirst() }
      return bytes
    }
  }
}
