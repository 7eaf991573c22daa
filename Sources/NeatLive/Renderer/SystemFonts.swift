import NeatBase
import NeatResource
import NeatText

/// A face of the system's fonts, as it is listed.
struct SystemFace: Sendable {
  var path: String
  var index: Int
  /// Keys of `FontName`.
  var families: [String]
  var style: FontStyle
  /// Where they are known without opening the file.
  var characters: Characters?

  /// A set of fontconfig's, which stays where it is.
  struct Characters: Sendable {
    typealias Test = @convention(c) (UnsafeMutableRawPointer, UInt32) -> Int32
    nonisolated(unsafe) let set: UnsafeMutableRawPointer
    let test: Test

    func contains(_ codepoint: UInt32) -> Bool { test(set, codepoint) != 0 }
  }
}

/// Font files that the system has, for styles without a glyph server: by fontconfig where it is there, else
/// by the files' names. Listed once a process; fonts that were opened stay open.
package enum SystemFonts {
  private static let folders = ["/usr/share/fonts", "/usr/local/share/fonts"]
  private static let homeFolders = ["/.fonts", "/.local/share/fonts"]
  /// Files in the order in which they serve every text: the first that has a character draws it. A plain sans
  /// serif of wide coverage, then others for the scripts it lacks.
  private static let names = [
    "NotoSans-Regular.ttf", "DejaVuSans.ttf", "LiberationSans-Regular.ttf", "FreeSans.ttf",
    "NotoNaskhArabic-Regular.ttf",
    "NotoSansArabic-Regular.ttf", "NotoSansDevanagari-Regular.ttf", "NotoSansHebrew-Regular.ttf",
    "NotoSansThai-Regular.ttf",
    "NotoSansCJK-Regular.ttc", "DroidSansFallbackFull.ttf",
  ]
  /// Folders looked into, and font files listed, at most.
  private static let folderLimit = 2000
  private static let fileLimit = 20_000

  private struct State: Sendable {
    var faces: [SystemFace]?
    /// By path and index; nil for what is no font that can be drawn with.
    var open: [String: FontFace?] = [:]
  }
  private final class Store: Sendable {
    let state = Locked(State())
  }

  /// A child of a fork opens its own: a thread that is not there may have held a lock, of this list or of a
  /// font.
  private static let stores = PerProcess(Store())
  private static var store: Store { stores.get { _ in Store() } }

  /// The fonts that serve every text, best first.
  package static func fallbacks() -> [FontFace] {
    store.state.withLock { state in
      let faces = list(&state)
      return names.compactMap { name in
        faces.first { $0.path.hasSuffix("/" + name) }.flatMap { open($0.path, 0, &state) }
      }
    }
  }

  /// The face of a family that is nearest to a style; nil where the system has none of the family.
  package static func find(_ name: FontName) -> FontFace? {
    store.state.withLock { state in
      let family = list(&state).filter { $0.families.contains(name.family) }
      let sorted = family.enumerated().sorted {
        ($0.element.style.distance(to: name.style), $0.offset) < (
          $1.element.style.distance(to: name.style), $1.offset
        )
      }
      for (_, face) in sorted.prefix(8) {
        if let font = open(face.path, face.index, &state) { return font }
      }
      return nil
    }
  }

  /// A face that has a character: of those that are listed with their characters the first upright one of
  /// normal weight, else the first.
  package static func find(character: UInt32) -> FontFace? {
    store.state.withLock { state in
      let faces = list(&state)
      for isPlain in [true, false] {
        for face in faces where face.style.isPlain == isPlain && face.characters?.contains(character) == true
        {
          if let font = open(face.path, face.index, &state), font.glyphIndex(character) != 0 { return font }
        }
      }
      return nil
    }
  }

  private static func open(_ path: String, _ index: Int, _ state: inout State) -> FontFace? {
    let key = "\(path)#\(index)"
    if let known = state.open[key] { return known }
    let face = (try? FileReader.readAll(path, limit: FontFace.maxBytes)).flatMap {
      try? FontFace(parsing: $0, index: index, resource: path)
    }
    state.open[key] = .some(face)
    return face
  }

  private static func list(_ state: inout State) -> [SystemFace] {
    if let known = state.faces { return known }
    let faces =
      Fontconfig().flatMap { $0.faces() }
      ?? scan(folders + (getenv("HOME").map { home in homeFolders.map { String(cString: home) + $0 } } ?? []))
    state.faces = faces
    return faces
  }

  /// The font files below folders; what they hold is read from their names.
  static func scan(_ folders: [String]) -> [SystemFace] {
    var found: [SystemFace] = []
    var open = folders
    var visited = 0
    while let folder = open.popLast(), visited < folderLimit, found.count < fileLimit {
      visited += 1
      guard let directory = opendir(folder) else { continue }
      defer {
        // unchecked: it was only read.
        closedir(directory)
      }
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard !name.hasPrefix(".") else { continue }
        let path = folder + "/" + name
        let ending = name.suffix(4).lowercased()
        if [".ttf", ".otf", ".ttc"].contains(ending) {
          let named = FontName(String(name.dropLast(4)))
          found.append(SystemFace(path: path, index: 0, families: [named.family], style: named.style))
        } else if isFolder(path) {
          open.append(path)
        }
      }
    }
    return found.sorted { $0.path < $1.path }
  }

  private static func isFolder(_ path: String) -> Bool {
    var info = stat()
    return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
  }
}

extension GlyphStore {
  /// Takes the fonts that the host gives. Returns what is wrong with those that cannot draw text; throws for
  /// those that are no fonts.
  func addFonts(_ options: MapEnvironment.Options) throws(NeatError) -> [NeatError] {
    var faults: [NeatError] = []
    if case .none = options.glyphRasterization { return [] }
    for path in options.fontPaths {
      let bytes = try FileReader.readAll(path, limit: ResourceLoader.byteLimit(.font))
      do throws(NeatError) {
        try addFont(try FontFace(parsing: bytes, resource: path))
      } catch {
        guard error.code == .unsupported else { throw error }
        faults.append(error)
      }
    }
    return faults
  }

  /// Takes those of the system, behind what is there.
  func addSystemFonts() {
    for face in SystemFonts.fallbacks() { try? addFont(face) }
    findFonts({ SystemFonts.find($0) }, character: { SystemFonts.find(character: $0) })
  }
}
