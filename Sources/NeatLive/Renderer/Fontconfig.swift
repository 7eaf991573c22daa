import NeatBase
import NeatText

/// What fontconfig knows of the system's fonts. Its library is looked for when it is first needed: nothing
/// depends on its being there.
struct Fontconfig {
  private typealias Pointer = UnsafeMutableRawPointer
  private let library: Pointer

  /// Nil where the library is not there.
  init?() {
    let found = Fork.heldBack { dlopen("libfontconfig.so.1", RTLD_NOW | RTLD_LOCAL) }
    guard let found else { return nil }
    library = found
  }

  private func function<T>(_ name: String, as type: T.Type = T.self) -> T? {
    dlsym(library, name).map { unsafeBitCast($0, to: T.self) }
  }

  /// Faces listed at most.
  private static let limit = 20_000

  /// All faces with outlines, in the order of their files; nil where the library does not answer as expected.
  /// Their characters stay in its memory, which is kept for as long as the program runs.
  func faces() -> [SystemFace]? { Fork.heldBack(list) }

  private func list() -> [SystemFace]? {
    guard let load = function("FcInitLoadConfigAndFonts", as: (@convention(c) () -> Pointer?).self),
      let makePattern = function("FcPatternCreate", as: (@convention(c) () -> Pointer?).self),
      let makeObjects = function("FcObjectSetCreate", as: (@convention(c) () -> Pointer?).self),
      let addObject = function(
        "FcObjectSetAdd", as: (@convention(c) (Pointer, UnsafePointer<CChar>) -> Int32).self),
      let list = function("FcFontList", as: (@convention(c) (Pointer, Pointer, Pointer) -> Pointer?).self),
      let freeObjects = function("FcObjectSetDestroy", as: (@convention(c) (Pointer) -> Void).self),
      let freePattern = function("FcPatternDestroy", as: (@convention(c) (Pointer) -> Void).self),
      let reader = PatternReader(self)
    else { return nil }
    guard let config = load() else { return nil }
    guard let pattern = makePattern(), let objects = makeObjects() else { return nil }
    defer {
      freePattern(pattern)
      freeObjects(objects)
    }
    for name in ["file", "index", "family", "style", "weight", "slant", "charset"] {
      _ = addObject(objects, name)
    }
    guard let set = list(config, pattern, objects) else { return nil }
    // FcFontSet: int nfont, int sfont, FcPattern **fonts
    let count = Int(set.load(as: Int32.self))
    guard count > 0, let fonts = set.load(fromByteOffset: 8, as: UnsafePointer<Pointer>?.self) else {
      return []
    }
    return (0..<min(count, Fontconfig.limit)).compactMap { reader.face(fonts[$0]) }.sorted {
      ($0.path, $0.index) < ($1.path, $1.index)
    }
  }

  /// Reads one entry of the list.
  private struct PatternReader {
    let string:
      @convention(c) (Pointer, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<UnsafePointer<CChar>?>) ->
        Int32
    let integer: @convention(c) (Pointer, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<Int32>) -> Int32
    let toOpenType: @convention(c) (Int32) -> Int32
    let characters:
      @convention(c) (Pointer, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<Pointer?>) -> Int32
    let hasCharacter: SystemFace.Characters.Test

    init?(_ library: Fontconfig) {
      guard let string = library.function("FcPatternGetString", as: type(of: string)),
        let integer = library.function("FcPatternGetInteger", as: type(of: integer)),
        let toOpenType = library.function("FcWeightToOpenType", as: type(of: toOpenType)),
        let characters = library.function("FcPatternGetCharSet", as: type(of: characters)),
        let hasCharacter = library.function("FcCharSetHasChar", as: SystemFace.Characters.Test.self)
      else { return nil }
      (self.string, self.integer, self.toOpenType) = (string, integer, toOpenType)
      (self.characters, self.hasCharacter) = (characters, hasCharacter)
    }

    private func texts(_ pattern: Pointer, _ name: String) -> [String] {
      var result: [String] = []
      var text: UnsafePointer<CChar>?
      while result.count < 16, string(pattern, name, Int32(result.count), &text) == 0, let found = text {
        result.append(String(cString: found))
      }
      return result
    }

    private func number(_ pattern: Pointer, _ name: String) -> Int? {
      var value: Int32 = 0
      return integer(pattern, name, 0, &value) == 0 ? Int(value) : nil
    }

    /// Nil for faces without outlines, and for instances of variable fonts.
    func face(_ pattern: Pointer) -> SystemFace? {
      guard let path = texts(pattern, "file").first, let index = number(pattern, "index"),
        (0..<65536).contains(index),
        let weight = number(pattern, "weight")
      else { return nil }
      let named = FontName("Family " + (texts(pattern, "style").first ?? "")).style
      let style = FontStyle(
        weight: Int(toOpenType(Int32(weight))), isItalic: (number(pattern, "slant") ?? 0) > 0,
        width: named.width)
      var set: Pointer?
      let known = characters(pattern, "charset", 0, &set) == 0 ? set : nil
      return SystemFace(
        path: path, index: index, families: texts(pattern, "family").map(FontName.key), style: style,
        characters: known.map { SystemFace.Characters(set: $0, test: hasCharacter) })
    }
  }
}
