import NeatBase
import NeatJSON
import NeatRaster

/// What an application says of an image that it adds.
package struct StyleImageOptions: Sendable {
  package var pixelRatio = 1.0
  package var isSDF = false
  package var stretchX: [ClosedRange<Double>]?
  package var stretchY: [ClosedRange<Double>]?
  package var content: SIMD4<Double>?
  package var textFitWidth: String?
  package var textFitHeight: String?
  /// Whether every later style has it too.
  package var isPersistent = false

  package init(pixelRatio: Double = 1, isSDF: Bool = false, isPersistent: Bool = false) {
    (self.pixelRatio, self.isSDF, self.isPersistent) = (pixelRatio, isSDF, isPersistent)
  }

  /// Parts of an image that stretch, in one direction, at most.
  package static let stretchLimit = 100

  /// Reads `{"pixelRatio", "sdf", "stretchX": [[from, to], …], "stretchY", "content": [left, top, right,
  /// bottom], "textFitWidth", "textFitHeight", "persistent"}`, all in pixels of the image, of the size that it
  /// is given.
  package init(_ json: JSON, width: Int, height: Int) throws(NeatError) {
    guard json.isObject else { throw NeatError(.invalidArgument, "image options must be an object") }
    try json.refuseMembers(
      besides: [
        "pixelRatio", "sdf", "stretchX", "stretchY", "content", "textFitWidth", "textFitHeight", "persistent",
      ], of: "image options")
    if let ratio = json["pixelRatio"], !ratio.isNull {
      guard let ratio = ratio.number else {
        throw NeatError(.invalidArgument, "image options: pixelRatio must be a number")
      }
      pixelRatio = ratio
    }
    isSDF = try Self.flag(json, "sdf")
    isPersistent = try Self.flag(json, "persistent")
    stretchX = try Self.stretches(json, "stretchX", Double(width))
    stretchY = try Self.stretches(json, "stretchY", Double(height))
    if let box = json["content"], !box.isNull {
      let sides = box.isArray ? box.elements.compactMap(\.number) : []
      guard sides.count == 4, box[4] == nil, 0 <= sides[0], sides[0] < sides[2], sides[2] <= Double(width),
        0 <= sides[1], sides[1] < sides[3], sides[3] <= Double(height)
      else {
        throw NeatError(
          .invalidArgument, "image options: content must be [left, top, right, bottom] within the image")
      }
      content = SIMD4(sides[0], sides[1], sides[2], sides[3])
    }
    textFitWidth = try Self.fit(json, "textFitWidth")
    textFitHeight = try Self.fit(json, "textFitHeight")
  }

  private static func flag(_ json: JSON, _ name: String) throws(NeatError) -> Bool {
    guard let value = json[name], !value.isNull else { return false }
    guard let flag = value.bool else {
      throw NeatError(.invalidArgument, "image options: \(name) must be true or false")
    }
    return flag
  }

  /// In order, and apart from each other.
  private static func stretches(_ json: JSON, _ name: String, _ length: Double) throws(NeatError)
    -> [ClosedRange<Double>]?
  {
    guard let value = json[name], !value.isNull else { return nil }
    let pairs = Array(value.elements)
    guard value.isArray, pairs.count <= stretchLimit else {
      throw NeatError(
        .invalidArgument, "image options: \(name) must be an array of \(stretchLimit) pairs at most")
    }
    var result: [ClosedRange<Double>] = []
    for pair in pairs {
      guard pair.isArray, let low = pair[0]?.number, let high = pair[1]?.number, pair[2] == nil,
        low >= result.last?.upperBound ?? 0, low < high, high <= length
      else {
        throw NeatError(
          .invalidArgument,
          "image options: \(name) must be pairs [from, to] within 0 and \(formatNumber(length)), in order")
      }
      result.append(low...high)
    }
    return result
  }

  private static func fit(_ json: JSON, _ name: String) throws(NeatError) -> String? {
    guard let value = json[name], !value.isNull else { return nil }
    guard let text = value.string, ["stretchOrShrink", "stretchOnly", "proportional"].contains(text) else {
      throw NeatError(
        .invalidArgument,
        "image options: \(name) must be \"stretchOrShrink\", \"stretchOnly\" or \"proportional\"")
    }
    return text
  }
}

extension StyleImage {
  /// An image of an application. Throws `invalidArgument` for a pixel ratio that is not within 0 to 16; 0
  /// stands for 1.
  package convenience init(name: String, _ picture: PixelImage, _ options: StyleImageOptions)
    throws(NeatError)
  {
    let ratio = options.pixelRatio == 0 ? 1 : options.pixelRatio
    guard ratio > 0, ratio <= 16 else {
      throw NeatError(.invalidArgument, "the pixel ratio \(options.pixelRatio) is not within 0...16")
    }
    self.init(
      name: name, ImagePart(picture), pixelRatio: ratio, isSDF: options.isSDF, stretchX: options.stretchX,
      stretchY: options.stretchY, content: options.content, textFitWidth: options.textFitWidth,
      textFitHeight: options.textFitHeight)
  }

  /// What is known of it, as `StyleImageOptions` reads it, with its name and size.
  package var json: JSON {
    var members: [(String, JSON)] = [
      ("name", .string(name)), ("width", .number(Double(width))), ("height", .number(Double(height))),
      ("pixelRatio", .number(pixelRatio)), ("sdf", .bool(isSDF)),
    ]
    func add(_ name: String, _ stretches: [ClosedRange<Double>]?) {
      guard let stretches else { return }
      let pairs = stretches.map { JSON.array([.number($0.lowerBound), .number($0.upperBound)]) }
      members.append((name, .array(pairs)))
    }
    add("stretchX", stretchX)
    add("stretchY", stretchY)
    if let content { members.append(("content", .array((0..<4).map { .number(content[$0]) }))) }
    if let textFitWidth { members.append(("textFitWidth", .string(textFitWidth))) }
    if let textFitHeight { members.append(("textFitHeight", .string(textFitHeight))) }
    return .object(members)
  }
}
