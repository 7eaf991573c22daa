import NeatBase
import NeatText

/// The images that a style can name. A value: layouts and frames keep the one they were made with.
package struct ImageLibrary: Sendable {
  package private(set) var images: [String: StyleImage] = [:]
  /// By number; a number is never given to another image, so that layouts can keep it.
  private var numbered: [StyleImage] = []
  /// Sizes and stretch areas by name, as text shaping and symbol layout take them.
  package private(set) var positions: [String: ImagePosition] = [:]

  package subscript(_ name: String) -> StyleImage? { images[name] }

  /// The image of an `ImagePosition`.
  subscript(number number: Int32) -> StyleImage? {
    numbered.indices.contains(Int(number)) ? numbered[Int(number)] : nil
  }

  package var names: Set<String> { Set(images.keys) }

  /// Adds images; those of a sprite do not replace what the application added under the same name.
  mutating func add(_ added: [StyleImage], replacing: Bool) {
    for image in added where replacing || images[image.name] == nil {
      images[image.name] = image
      positions[image.name] = position(image, number: Int32(numbered.count))
      numbered.append(image)
    }
  }

  mutating func remove(_ name: String) -> Bool {
    positions[name] = nil
    return images.removeValue(forKey: name) != nil
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
