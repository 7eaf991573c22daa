import Neatline

/// The picture of a marker: a file of the folder of icons, or a `data:` address where that is allowed.
enum MarkerIcon: Sendable {
  case file(String)
  case inline([UInt8])

  init(_ text: String, folder: String, allowsInline: Bool) throws(BadParameter) {
    if text.hasPrefix("data:") {
      guard allowsInline else { throw BadParameter("marker: icons within the address are not allowed here") }
      guard let comma = text.firstIndex(of: ","), text[..<comma].hasSuffix(";base64"),
        let bytes = Base64.decoded(text[text.index(after: comma)...])
      else { throw BadParameter("marker: the icon is no base64") }
      self = .inline(bytes)
      return
    }
    guard !text.contains("://") else { throw BadParameter("marker: icons of other servers are not fetched") }
    guard !folder.isEmpty else {
      throw BadParameter("marker: there is no folder of icons here; without an icon a dot is drawn")
    }
    guard !text.hasPrefix("/"),
      !text.utf8.split(separator: 47).contains(where: { $0.elementsEqual("..".utf8) })
    else {
      throw BadParameter("marker: \"\(text)\" is out of the folder of icons")
    }
    let path = FilePath.join(folder, text)
    guard Image.Format(path: text) != nil else {
      throw BadParameter("marker: the icon \"\(text)\" is neither PNG nor JPEG nor WebP by its name")
    }
    guard let stamp = Platform.stamp(path), !Platform.isFolder(path) else {
      throw BadParameter("marker: there is no icon \"\(text)\"")
    }
    guard stamp[1] <= MarkerIcon.byteLimit else {
      throw BadParameter("marker: the icon \"\(text)\" has more than \(MarkerIcon.byteLimit) bytes")
    }
    self = .file(path)
  }

  /// Of a file.
  static let byteLimit = 4 << 20

  /// Changes with the file.
  var mark: String {
    switch self {
    case .file(let path): "\(Platform.stamp(path) ?? [])"
    case .inline: ""
    }
  }

  /// Decoded; `room`: pixels that the icons of a picture may still have.
  func image(room: inout Int) throws -> Image {
    let name: String
    let bytes: [UInt8]
    switch self {
    case .file(let path):
      name = path.split(separator: "/").last.map { "the icon \"\($0)\"" } ?? "the icon"
      bytes = try Platform.readFile(path)
    case .inline(let given): (name, bytes) = ("the icon", given)
    }
    let image: Image
    do throws(NeatlineError) { image = try Image(decoding: bytes, pixelLimit: max(1, room)) } catch {
      guard error.status == .limitExceeded else { throw BadParameter("marker: \(name): \(error)") }
      throw MarkerIcon.tooMany(name)
    }
    // Where there is no room at all, an icon of one pixel is read.
    room -= image.width * image.height
    guard room >= 0 else { throw MarkerIcon.tooMany(name) }
    return image
  }

  private static func tooMany(_ name: String) -> BadParameter {
    BadParameter("marker: \(name): icons of more than \(pixelLimit) pixels, this one among them")
  }

  /// Pixels of all icons of a picture.
  static let pixelLimit = 1 << 22
}

/// RFC 4648, both alphabets.
enum Base64 {
  static func decoded(_ text: Substring) -> [UInt8]? {
    var result: [UInt8] = []
    var (bits, count) = (0, 0)
    for byte in text.utf8 {
      let value: Int
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = Int(byte) - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = Int(byte) - 71
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = Int(byte) + 4
      // A plus becomes a space on its way through a query.
      case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: " "): value = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
      case UInt8(ascii: "="): continue
      default: return nil
      }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> count))
        bits &= (1 << count) - 1
      }
    }
    return result
  }
}
