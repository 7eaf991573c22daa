import NeatBase
import NeatCamera
import NeatJSON
import NeatLive
import NeatMap
import NeatStyle

extension LocationOptions {
  static let names = ["puck", "puckBearing", "puckBearingEnabled", "updates"]

  func changed(by given: JSONOptions) throws(NeatError) -> LocationOptions {
    var options = self
    if let member = given.json["puck"] {
      guard member.isNull || member.isObject else {
        throw NeatError(.invalidArgument, "\"puck\" is neither null nor an object")
      }
      options.puck = member.isNull ? nil : try Puck2D(member, images: puck?.images ?? [:])
    }
    if let name = try given.text("puckBearing") {
      options.puckBearing = try named(name, "puckBearing")
    }
    if let name = try given.text("updates") { options.updates = try named(name, "updates") }
    options.puckBearingEnabled = try given.bool("puckBearingEnabled") ?? puckBearingEnabled
    return options
  }

  private func named<T: RawRepresentable & CaseIterable>(_ name: String, _ member: String) throws(NeatError)
    -> T
  where T.RawValue == String {
    guard let value = T(rawValue: name) else {
      let all = T.allCases.map(\.rawValue).joined(separator: ", ")
      throw NeatError(.invalidArgument, "\"\(member)\" \"\(name)\" is none of \(all)")
    }
    return value
  }

  var json: JSON {
    .object([
      ("puck", puck?.json ?? .null), ("puckBearing", .string(puckBearing.rawValue)),
      ("puckBearingEnabled", .bool(puckBearingEnabled)), ("updates", .string(updates.rawValue)),
    ])
  }
}

extension Puck2D {
  private static let names = [
    "scale", "opacity", "showsBearing", "showsAccuracyRing", "accuracyRingColor", "accuracyRingBorderColor",
    "pulsing", "modelScale", "modelScaleMode", "modelRotation",
  ]

  fileprivate init(_ json: JSON, images: [PuckImageKind: PuckImage]) throws(NeatError) {
    self.init()
    self.images = images
    let given = try JSONOptions(json, known: Puck2D.names, of: "puck")
    if let scale = json["scale"], !scale.isNull { self.scale = try PuckScale(scale) }
    opacity = try given.number("opacity", within: 0...1) ?? opacity
    showsBearing = try given.bool("showsBearing") ?? showsBearing
    showsAccuracyRing = try given.bool("showsAccuracyRing") ?? showsAccuracyRing
    ringColor = try given.color("accuracyRingColor") ?? ringColor
    ringBorderColor = try given.color("accuracyRingBorderColor") ?? ringBorderColor
    if let scale = json["modelScale"], !scale.isNull {
      model.scale = try PuckScale(scale, named: "modelScale")
    }
    if let name = try given.text("modelScaleMode") {
      guard let mode = PuckModelOptions.ScaleMode(rawValue: name) else {
        throw NeatError(.invalidArgument, "\"modelScaleMode\" \"\(name)\" is neither viewport nor map")
      }
      model.scaleMode = mode
    }
    if let turns = json["modelRotation"], !turns.isNull {
      let degrees = turns.elements.compactMap(\.number)
      guard turns.isArray, turns.count == 3, degrees.count == 3, degrees.allSatisfy({ abs($0) <= 36_000 })
      else {
        throw NeatError(.invalidArgument, "\"modelRotation\" is not three numbers within -36000 to 36000")
      }
      model.rotation = SIMD3(degrees[0], degrees[1], degrees[2])
    }
    guard let member = json["pulsing"], !member.isNull else { return }
    guard member.isObject else {
      throw NeatError(.invalidArgument, "\"pulsing\" is neither null nor an object")
    }
    pulsing = try Pulsing(member)
  }

  fileprivate var json: JSON {
    .object([
      ("scale", scale.json), ("opacity", .number(opacity)), ("showsBearing", .bool(showsBearing)),
      ("showsAccuracyRing", .bool(showsAccuracyRing)), ("accuracyRingColor", ringColor.json),
      ("accuracyRingBorderColor", ringBorderColor.json), ("pulsing", pulsing?.json ?? .null),
      ("modelScale", model.scale.json), ("modelScaleMode", .string(model.scaleMode.rawValue)),
      (
        "modelRotation",
        .array([.number(model.rotation.x), .number(model.rotation.y), .number(model.rotation.z)])
      ),
    ])
  }
}

extension Puck2D.Pulsing {
  fileprivate init(_ json: JSON) throws(NeatError) {
    self.init()
    let given = try JSONOptions(json, known: ["color", "radius", "period"], of: "pulsing")
    color = try given.color("color") ?? color
    periodMS = try given.number("period", within: 100...60_000) ?? periodMS
    if json["radius"]?.string == "accuracy" {
      radius = .accuracy
    } else if let pixels = try given.number("radius", within: 0...10_000) {
      radius = .constant(pixels)
    }
  }

  fileprivate var json: JSON {
    let radius: JSON =
      switch self.radius {
      case .constant(let pixels): .number(pixels)
      case .accuracy: .string("accuracy")
      }
    return .object([("color", color.json), ("radius", radius), ("period", .number(periodMS))])
  }
}

extension Color {
  fileprivate var json: JSON { .string(RGBA(self).description) }
}

extension JSONOptions {
  /// Options within options.
  init(_ json: JSON, known: [String], of name: String) throws(NeatError) {
    try json.refuseMembers(besides: known, of: "\"\(name)\"")
    self.init(checked: json)
  }

  func number(_ name: String, within range: ClosedRange<Double>) throws(NeatError) -> Double? {
    guard let number = try number(name) else { return nil }
    guard range.contains(number) else {
      throw NeatError(
        .invalidArgument, "\"\(name)\" \(number) is not within \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func color(_ name: String) throws(NeatError) -> Color? {
    guard let text = try text(name) else { return nil }
    guard let color = RGBA(css: text) else {
      throw NeatError(.invalidArgument, "\"\(name)\" \"\(text)\" is no colour")
    }
    return color.color
  }

  /// Four sides: nil where nobody says, `.some(nil)` for null.
  func padding(_ name: String) throws(NeatError) -> EdgeInsets?? {
    guard let value = json[name] else { return nil }
    if value.isNull { return .some(nil) }
    let sides = value.elements.compactMap(\.number)
    guard value.isArray, value.count == 4, sides.count == 4 else {
      throw NeatError(.invalidArgument, "\"\(name)\" is not [top, left, bottom, right]")
    }
    return EdgeInsets(top: sides[0], left: sides[1], bottom: sides[2], right: sides[3])
  }

  /// A number: nil where nobody says, `.some(nil)` for null.
  func optional(_ name: String) throws(NeatError) -> Double?? {
    guard let value = json[name] else { return nil }
    if value.isNull { return .some(nil) }
    return try number(name)
  }
}
