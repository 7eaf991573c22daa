import NeatBase
import NeatImage
import NeatJSON
import NeatStyle
import NeatText

/// A style as it stands, and what belongs to it alone.
struct StyleState: Sendable {
  var document: Style {
    didSet {
      documentVersion = ContentID.next()
      version = documentVersion
    }
  }
  /// No other document that there was has the same.
  private(set) var documentVersion = ContentID.next()
  /// Where relative addresses start.
  let base: String
  private(set) var sprites: [SpriteState] = []
  private(set) var images = ImageLibrary()
  var featureStates = FeatureStates()
  /// Properties that have not reached what the style says yet.
  var transitions = Transitions()
  /// The style's defaults with what the application set over them.
  var globalState: [String: ExpressionValue] { didSet { version = ContentID.next() } }
  /// No other document with a global state that there was has the same.
  private(set) var version = ContentID.next()
  /// Whom glyph ranges are asked of; 0: nobody.
  var glyphServer: GlyphServerID = 0

  init(_ document: Style, base: String) {
    self.document = document
    self.base = base
    globalState = GlobalState.defaults(of: document)
    beginSprites()
  }

  /// Where glyph ranges are asked for, with the places of font stack and range open.
  var glyphTemplate: String? { document.glyphs.map { Address.resolve($0, base: base) } }

  // MARK: Sprites

  /// Takes the style's sprites. Those that it had already stay as they are; the images of those that went
  /// stay until all that came are there, or known not to be. Whether images went.
  @discardableResult mutating func beginSprites() -> Bool {
    sprites = document.sprites.map { sprite in
      let url = Address.resolve(sprite.url, base: base)
      return sprites.first { $0.id == sprite.id && $0.url == url }
        ?? SpriteState(id: sprite.id, prefix: sprite.prefix, url: url, number: ContentID.next())
    }
    return dropImagesOfOldSprites()
  }

  /// Changes a sprite by its place; whether images went with that.
  @discardableResult mutating func changeSprite(_ place: Int, _ change: (inout SpriteState) -> Void) -> Bool {
    change(&sprites[place])
    return dropImagesOfOldSprites()
  }

  /// Takes the images of a sprite, which is whole then.
  mutating func settleSprite(_ place: Int, index: JSON, _ added: [StyleImage]) {
    let current = Set(sprites.map(\.number))
    images.add(added, ofSprite: sprites[place].number, replacing: { !current.contains($0) })
    changeSprite(place) { sprite in
      sprite.isSettled = true
      sprite.index = index
      sprite.sheet = nil
    }
  }

  private mutating func dropImagesOfOldSprites() -> Bool {
    guard sprites.allSatisfy(\.isSettled) else { return false }
    let current = Set(sprites.map(\.number))
    return images.removeSprites { !current.contains($0) }
  }

  // MARK: Images of the application

  mutating func addImage(_ image: StyleImage) { images.add(image) }

  mutating func removeImage(_ name: String) -> Bool { images.remove(name) }

  /// Drops images that went and may still be shown.
  mutating func dropGoneImages() { images.dropGone() }
}

/// A sprite sheet and its index, as far as they are loaded.
struct SpriteState: Sendable {
  let id: String
  let prefix: String
  let url: String
  /// No other sprite that there was has the same.
  let number: UInt64
  var index: JSON?
  var sheet: PixelImage?
  var isSettled = false
  /// Why it cannot be had.
  var fault: PastFault?
}
