import NeatBase
import NeatText

/// The images that a style can name. A value: layouts and frames keep the one they were made with.
package struct ImageLibrary: Sendable {
  private var images: [String: StyleImage] = [:] { didSet { version = ContentID.next() } }
  /// No other library that there was has the same.
  private(set) var version: UInt64 = 0
  /// The numbers of the sprites that images are of, by name; the application's have none.
  private var spriteNumbers: [String: UInt64] = [:]
  /// By number; a number is never given to another image, so that layouts can keep it. Nil for images that went and
  /// that no layout shows any more.
  private var numbered: [StyleImage?] = []
  /// Numbers of images that went, the oldest first, and their bytes. What is laid out shows them until it is laid out
  /// again.
  private var gone: [Int32] = []
  private var goneBytes = 0
  /// Bytes of images that are kept though they went.
  private static let goneLimit = 16 << 20
  /// Sizes and stretch areas by name, as text shaping and symbol layout take them.
  package private(set) var positions: [String: ImagePosition] = [:]

  package subscript(_ name: String) -> StyleImage? { images[name] }

  /// The image of an `ImagePosition`.
  subscript(number number: Int32) -> StyleImage? {
    numbered.indices.contains(Int(number)) ? numbered[Int(number)] : nil
  }

  /// Drops images that went, whether or not something that is laid out still shows them.
  mutating func dropGone() { dropGone(to: 0) }

  private mutating func dropGone(to limit: Int) {
    while goneBytes > limit, let first = gone.first {
      gone.removeFirst()
      goneBytes -= numbered[Int(first)]?.byteCount ?? 0
      numbered[Int(first)] = nil
    }
  }

  /// The image of a name goes.
  private mutating func retire(_ name: String) {
    guard let image = images[name], let position = positions[name] else { return }
    gone.append(position.id)
    goneBytes += image.byteCount
    // The one that went last is most likely to be shown.
    dropGone(to: max(ImageLibrary.goneLimit, image.byteCount))
  }

  package var names: Set<String> { Set(images.keys) }

  /// Adds an image of the application, in place of one of that name.
  mutating func add(_ image: StyleImage) {
    put(image)
    spriteNumbers[image.name] = nil
  }

  /// Adds the images of a sprite. They replace neither what the application added under the same name nor
  /// those of another sprite, unless `isReplaced` says so of its number.
  mutating func add(_ added: [StyleImage], ofSprite number: UInt64, replacing isReplaced: (UInt64) -> Bool) {
    for image in added {
      if images[image.name] != nil {
        guard let owner = spriteNumbers[image.name], isReplaced(owner) else { continue }
      }
      put(image)
      spriteNumbers[image.name] = number
    }
  }

  private mutating func put(_ image: StyleImage) {
    retire(image.name)
    images[image.name] = image
    positions[image.name] = position(image, number: Int32(numbered.count))
    numbered.append(image)
  }

  mutating func remove(_ name: String) -> Bool {
    retire(name)
    positions[name] = nil
    spriteNumbers[name] = nil
    return images.removeValue(forKey: name) != nil
  }

  /// Removes the images of sprites by their numbers; whether there were any.
  mutating func removeSprites(where isGone: (UInt64) -> Bool) -> Bool {
    let names = spriteNumbers.filter { isGone($0.value) }.keys
    for name in names { _ = remove(name) }
    return !names.isEmpty
  }

  private func position(_ image: StyleImage, number: Int32) -> ImagePosition {
    let padding = Float(2 * ImagePosition.padding)
    var position = ImagePosition(
      id: number, paddedWidth: Float(image.width) + padding, paddedHeight: Float(image.height) + padding,
      pixelRatio: image.pixelRatio,
      isSDF: image.isSDF)
    position.stretchX = image.stretchX.map { $0.map { SIMD2($0.lowerBound, $0.upperBound) } }
    position.stretchY = image.stretchY.map { $0.map { SIMD2($0.lowerBound, $0.upperBound) } }
    position.content = image.content
    position.textFitWidth = image.textFitWidth.flatMap(TextFit.init(name:))
    position.textFitHeight = image.textFitHeight.flatMap(TextFit.init(name:))
    return position
  }
}

extension TextFit {
  init?(name: String) {
    switch name {
    case "stretchOrShrink": self = .stretchOrShrink
    case "stretchOnly": self = .stretchOnly
    case "proportional": self = .proportional
    default: return nil
    }
  }
}
