import NeatBase

/// The images that a style can name. A value: layouts and frames keep the one they were made with.
package struct ImageLibrary: Sendable {
  package private(set) var images: [String: StyleImage] = [:]
  /// Grows with every change.
  package private(set) var version: UInt64 = 0

  package subscript(_ name: String) -> StyleImage? { images[name] }

  package var names: Set<String> { Set(images.keys) }

  /// Adds images; those of a sprite do not replace what the application added under the same name.
  mutating func add(_ added: [StyleImage], replacing: Bool) {
    for image in added where replacing || images[image.name] == nil { images[image.name] = image }
    version += 1
  }

  mutating func remove(_ name: String) -> Bool {
    version += 1
    return images.removeValue(forKey: name) != nil
  }
}
