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
      folders[$0] != nil || files.names.contains($0)
    }
    guard !known.isEmpty else { return .text(404, "none of the fonts of \"\(stack)\" is here\n") }
    let parts = known.compactMap { name in
      if let folder = folders[name] { return try? Platform.readFile("\(folder)/\(range).pbf") }
      return files.range(name, ends[0])
    }
    guard !parts.isEmpty else { return .text(404, "no font of \"\(stack)\" has the range \(range)\n") }
    guard let merged = parts.count == 1 ? parts[0] : GlyphRanges.merged(parts, name: stack, range: range)
    else {
      return .text(500, "a range \(range) of \"\(stack)\" is no glyph range\n")
    }
    return HTTPAnswer(status: 200, type: "application/x-protobuf", body: merged).named()
  }
}

/// Font files, each alone, by the name that is in it. Any thread.
private final class FontFiles: @unchecked Sendable {  // one thread at a time is inside `fonts`
  private let lock = Lock()
  private var fonts: [String: Fonts] = [:]
  /// Ranges that were drawn, which takes long; the least recent go first.
  private var drawn: [(name: String, first: Int, bytes: [UInt8])] = []
  private static let drawnLimit = 256
  let names: Set<String>

  /// Files that are no fonts are told and left out.
  init(_ paths: [String]) {
    var fonts: [String: Fonts] = [:]
    for path in paths {
      do {
        let font = try Fonts()
        try font.addFile(try Platform.readFile(path))
        for name in try font.names where fonts[name] == nil { fonts[name] = font }
      } catch {
        Console.warning("\(path): \(error)")
      }
    }
    self.fonts = fonts
    names = Set(fonts.keys)
  }

  func range(_ name: String, _ first: Int) -> [UInt8]? {
    lock.locked {
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

/// Glyph ranges put together: message `glyphs { fontstack stacks = 1 }`, `fontstack { name = 1, range = 2, glyph
/// glyphs = 3 }`, `glyph { id = 1 … }`.
enum GlyphRanges {
  static func merged(_ ranges: [[UInt8]], name: String, range: String) -> [UInt8]? {
    var glyphs: [(id: UInt64, bytes: ArraySlice<UInt8>)] = []
    var seen: Set<UInt64> = []
    for bytes in ranges {
      guard let stacks = fields(bytes[...]) else { return nil }
      for stack in stacks where stack.number == 1 {
        guard let members = stack.bytes.flatMap(fields) else { return nil }
        for member in members where member.number == 3 {
          guard let body = member.bytes, let parts = fields(body),
            let id = parts.first(where: { $0.number == 1 })?.value
          else { return nil }
          if seen.insert(id).inserted { glyphs.append((id, body)) }
        }
      }
    }
    var stack: [UInt8] = []
    append(1, Array(name.utf8)[...], to: &stack)
    append(2, Array(range.utf8)[...], to: &stack)
    for glyph in glyphs.sorted(by: { $0.id < $1.id }) { append(3, glyph.bytes, to: &stack) }
    var result: [UInt8] = []
    append(1, stack[...], to: &result)
    return result
  }

  private struct Field {
    var number: UInt64
    var value: UInt64 = 0
    var bytes: ArraySlice<UInt8>?
  }

  private static func fields(_ bytes: ArraySlice<UInt8>) -> [Field]? {
    var rest = bytes
    var result: [Field] = []
    while !rest.isEmpty {
      guard let key = varint(&rest) else { return nil }
      var field = Field(number: key >> 3)
      switch key & 7 {
      case 0:
        guard let value = varint(&rest) else { return nil }
        field.value = value
      case 2:
        guard let count = varint(&rest), count <= UInt64(rest.count) else { return nil }
        field.bytes = rest.prefix(Int(count))
        rest = rest.dropFirst(Int(count))
      case let kind where kind == 1 || kind == 5:
        let count = kind == 1 ? 8 : 4
        guard rest.count >= count else { return nil }
        rest = rest.dropFirst(count)
      default: return nil
      }
      result.append(field)
    }
    return result
  }

  private static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = bytes.popFirst(), shift < 64 {
      result |= UInt64(byte & 127) << shift
      if byte < 128 { return result }
      shift += 7
    }
    return nil
  }

  private static func append(_ number: UInt8, _ bytes: ArraySlice<UInt8>, to result: inout [UInt8]) {
    result.append(number << 3 | 2)
    var count = bytes.count
    while count >= 128 {
      result.append(UInt8(count & 127) | 128)
      count >>= 7
    }
    result.append(UInt8(count))
    result += bytes
  }
}
