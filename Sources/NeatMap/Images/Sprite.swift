import NeatBase
import NeatJSON

/// A sprite: a sheet of images and the index that names them.
package enum Sprite {
  /// Pixels that all images of a sheet have together, at most: so many times those of the sheet, whose images lie
  /// apart or share their pixels with a few others, or as many as take 16 MiB where that is more.
  package static let overlapLimit = 4
  package static let leastPixelLimit = 4 << 20

  /// Cuts a sheet by its index. An entry that does not fit the sheet is left out and reported, and so are the
  /// entries that would take the images past their limit of pixels; the rest stands.
  /// - Parameter memory: what the images take their pixels from as they are drawn.
  package static func cut(
    index: JSON, sheet: PixelImage, prefix: String, memory: MemoryBudget? = nil,
    problems: inout [NeatError]
  ) -> [StyleImage] {
    var images: [StyleImage] = []
    images.reserveCapacity(index.count)
    let limit = max(leastPixelLimit, overlapLimit * sheet.width * sheet.height)
    var room = limit
    var refused = 0
    defer {
      if refused > 0 {
        problems.append(
          NeatError(
            .limitExceeded,
            "the sprite's images have more than \(limit) pixels, with a sheet of \(sheet.width)x\(sheet.height): \(refused) are left out"
          ))
      }
    }
    for (name, entry) in index.members {
      let full = prefix + name
      guard let x = entry["x"]?.int, let y = entry["y"]?.int, let width = entry["width"]?.int,
        let height = entry["height"]?.int, x >= 0,
        y >= 0,
        width > 0, height > 0, width <= sheet.width, height <= sheet.height, x <= sheet.width - width,
        y <= sheet.height - height
      else {
        problems.append(
          NeatError(
            .image, "sprite image \"\(full)\" lies outside its sheet of \(sheet.width)x\(sheet.height) pixels"
          ))
        continue
      }
      guard width * height <= room else {
        refused += 1
        continue
      }
      room -= width * height
      let ratio = entry["pixelRatio"]?.number ?? 1
      let content = entry["content"].flatMap { box -> SIMD4<Double>? in
        let numbers = box.elements.compactMap(\.number)
        return numbers.count == 4 ? SIMD4(numbers[0], numbers[1], numbers[2], numbers[3]) : nil
      }
      images.append(
        StyleImage(
          name: full, ImagePart(sheet, x: x, y: y, width: width, height: height),
          pixelRatio: ratio > 0 && ratio <= 16 ? ratio : 1, isSDF: entry["sdf"]?.bool ?? false,
          memory: memory,
          stretchX: stretches(entry["stretchX"]),
          stretchY: stretches(entry["stretchY"]), content: content,
          textFitWidth: entry["textFitWidth"]?.string,
          textFitHeight: entry["textFitHeight"]?.string))
    }
    return images
  }

  private static func stretches(_ json: JSON?) -> [ClosedRange<Double>]? {
    guard let json, json.isArray else { return nil }
    return json.elements.compactMap { pair in
      guard let low = pair[0]?.number, let high = pair[1]?.number, low <= high else { return nil }
      return low...high
    }
  }
}
