import NeatBase
import NeatJSON

/// A sprite: a sheet of images and the index that names them.
package enum Sprite {
  /// Cuts a sheet by its index. An entry that does not fit the sheet is left out and reported; the rest
  /// stands.
  package static func cut(
    index: JSON, sheet: PixelImage, prefix: String, problems: inout [NeatError]
  ) -> [StyleImage] {
    var images: [StyleImage] = []
    images.reserveCapacity(index.count)
    for (name, entry) in index.members {
      let full = prefix + name
      guard let x = entry["x"]?.int, let y = entry["y"]?.int, let width = entry["width"]?.int,
        let height = entry["height"]?.int, x >= 0,
        y >= 0,
        width > 0, height > 0, x + width <= sheet.width, y + height <= sheet.height
      else {
        problems.append(
          NeatError(
            .image, "sprite image \"\(full)\" lies outside its sheet of \(sheet.width)x\(sheet.height) pixels"
          ))
        continue
      }
      let ratio = entry["pixelRatio"]?.number ?? 1
      let content = entry["content"].flatMap { box -> SIMD4<Double>? in
        let numbers = box.elements.compactMap(\.number)
        return numbers.count == 4 ? SIMD4(numbers[0], numbers[1], numbers[2], numbers[3]) : nil
      }
      images.append(
        StyleImage(
          name: full, width: width, height: height, pixelRatio: ratio > 0 && ratio <= 16 ? ratio : 1,
          isSDF: entry["sdf"]?.bool ?? false,
          pixels: cut(sheet, x: x, y: y, width: width, height: height),
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

  private static func cut(_ sheet: PixelImage, x: Int, y: Int, width: Int, height: Int) -> [UInt8] {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 4)
    for row in y..<y + height {
      let start = (row * sheet.width + x) * 4
      pixels.append(contentsOf: sheet.pixels[start..<start + width * 4])
    }
    return pixels
  }
}
