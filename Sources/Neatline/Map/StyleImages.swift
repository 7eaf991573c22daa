/// What is said of an image that is added to a style.
public struct StyleImageOptions: Hashable, Sendable {
  /// Pixels a logical pixel, above 0 to 16.
  public var pixelRatio: Double
  /// Whether its alpha is a signed distance field, which `icon-color` colours.
  public var sdf: Bool
  /// Parts that stretch with `icon-text-fit`, from the left, in pixels of the image; nil: all of it.
  public var stretchX: [ImageStretches]?
  /// Parts that stretch, from the top.
  public var stretchY: [ImageStretches]?
  /// Where the text stands; nil: anywhere.
  public var content: ImageContent?
  /// Whether every later style has it too.
  public var isPersistent: Bool

  /// Options: all of the image stretches, and it is of the style that is there alone.
  public init(
    pixelRatio: Double = 1, sdf: Bool = false, stretchX: [ImageStretches]? = nil,
    stretchY: [ImageStretches]? = nil, content: ImageContent? = nil, isPersistent: Bool = false
  ) {
    self.pixelRatio = pixelRatio
    self.sdf = sdf
    self.stretchX = stretchX
    self.stretchY = stretchY
    self.content = content
    self.isPersistent = isPersistent
  }

  var json: JSONValue {
    func pairs(_ stretches: [ImageStretches]) -> JSONValue {
      .array(stretches.map { [.number($0.first), .number($0.second)] })
    }
    var members: [JSONValue.Member] = [.init("pixelRatio", .number(pixelRatio)), .init("sdf", .bool(sdf))]
    if let stretchX { members.append(.init("stretchX", pairs(stretchX))) }
    if let stretchY { members.append(.init("stretchY", pairs(stretchY))) }
    if let content {
      members.append(
        .init(
          "content",
          [.number(content.left), .number(content.top), .number(content.right), .number(content.bottom)]))
    }
    members.append(.init("persistent", .bool(isPersistent)))
    return .object(members)
  }
}

/// A part of an image that stretches, in pixels of the image.
public struct ImageStretches: Hashable, Sendable {
  /// Where it begins.
  public var first: Double
  /// Where it ends, past `first`.
  public var second: Double

  /// From `first` to `second`.
  public init(first: Double, second: Double) {
    self.first = first
    self.second = second
  }
}

/// A box within an image, in pixels of the image right of its left edge and below its top edge.
public struct ImageContent: Hashable, Sendable {
  /// The left side.
  public var left: Double
  /// The top side.
  public var top: Double
  /// The right side.
  public var right: Double
  /// The bottom side.
  public var bottom: Double

  /// A box by its sides.
  public init(left: Double, top: Double, right: Double, bottom: Double) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }
}

/// An image that layers can name.
public struct StyleImageInfo: Hashable, Sendable {
  /// Its name.
  public let id: String
  /// Pixels.
  public let width: Int
  /// Pixels.
  public let height: Int
  /// What was said of it; of one of a sprite what its index says.
  public let options: StyleImageOptions

  init(_ json: JSONValue) {
    func stretches(_ name: String) -> [ImageStretches]? {
      json[name]?.array?.map {
        ImageStretches(first: $0[0]?.number ?? 0, second: $0[1]?.number ?? 0)
      }
    }
    func length(_ name: String) -> Int { json[name]?.number.flatMap { Int(exactly: $0) } ?? 0 }
    id = json["name"]?.string ?? ""
    width = length("width")
    height = length("height")
    var options = StyleImageOptions(
      pixelRatio: json["pixelRatio"]?.number ?? 1, sdf: json["sdf"]?.bool ?? false,
      stretchX: stretches("stretchX"), stretchY: stretches("stretchY"))
    if let box = json["content"]?.array?.compactMap(\.number), box.count == 4 {
      options.content = ImageContent(left: box[0], top: box[1], right: box[2], bottom: box[3])
    }
    self.options = options
  }
}
