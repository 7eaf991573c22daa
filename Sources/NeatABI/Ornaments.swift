import CNeatline
import NeatBase
import NeatJSON
import NeatLive
import NeatMap

@c @implementation
public func neat_map_set_ornaments(_ map: OpaquePointer!, _ given: UnsafePointer<neat_ornaments>!)
  -> neat_status
{
  attempt(map) { map throws(NeatError) in
    try map.setOrnaments(
      try received(given).map { given throws(NeatError) in try ornaments(given) } ?? Ornaments())
  }
}

@c @implementation
public func neat_map_ornaments(_ map: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in Buffer(Array(map.ornamentOptions.json.text.utf8)) }
}

@c @implementation
public func neat_map_ornament_places(_ map: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in
    let places = try map.ornamentPictures().map { picture -> JSON in
      let box = picture.rectangle(pixelRatio: map.size.pixelRatio)
      return .object([
        ("ornament", .string(picture.kind.name)), ("x", .number(box.x)), ("y", .number(box.y)),
        ("width", .number(box.z - box.x)), ("height", .number(box.w - box.y)),
        ("opacity", .number(picture.opacity)),
      ])
    }
    return Buffer(Array(JSON.array(places).text.utf8))
  }
}

@c @implementation
public func neat_map_ornament_at(
  _ map: OpaquePointer!, _ x_px: Double, _ y_px: Double, _ out_ornament: UnsafeMutablePointer<neat_ornament>!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let out = try required(out_ornament, "out_ornament")
    out.pointee = neat_ornament(rawValue: try map.ornament(at: SIMD2(x_px, y_px))?.rawValue ?? 0)
  }
}

/// What a picture's options say of its corners.
func ornaments(of given: neat_picture_options) throws(NeatError) -> Ornaments {
  guard let named = try received(given.ornaments) else { return try shortOrnaments(of: given) }
  guard given.has_attribution == 0, given.scale_bar == NEAT_SCALE_BAR_NONE.rawValue else {
    throw NeatError(.invalidArgument, "has_attribution and scale_bar are 0 where there are ornaments")
  }
  return try ornaments(named)
}

private func shortOrnaments(of given: neat_picture_options) throws(NeatError) -> Ornaments {
  var result = Ornaments()
  if given.has_attribution != 0 {
    result.attribution.place.visibility = .visible
    if given.attribution != nil {
      result.attribution.text = try text(given.attribution, given.attribution_size, "attribution")
    }
  }
  result.scaleBar.place.position = .bottomLeft
  result.scaleBar.place.visibility = .adaptive
  switch given.scale_bar {
  case NEAT_SCALE_BAR_NONE.rawValue: result.scaleBar.place.visibility = .hidden
  case NEAT_SCALE_BAR_METRIC.rawValue: result.scaleBar.units = .metric
  case NEAT_SCALE_BAR_IMPERIAL.rawValue: result.scaleBar.units = .imperial
  case NEAT_SCALE_BAR_NAUTICAL.rawValue: result.scaleBar.units = .nautical
  default: throw NeatError(.invalidArgument, "scale_bar \(given.scale_bar) is none of neat_scale_bar")
  }
  return result
}

private func ornaments(_ given: neat_ornaments) throws(NeatError) -> Ornaments {
  guard given.reserved == 0 else { throw NeatError(.invalidArgument, "reserved is not 0") }
  let json = try bytes(given.json, given.json_size, "json")
  var result = json.isEmpty ? Ornaments() : try Ornaments(try JSON.parse(json))
  result.logo.image = try image(given.logo, given.logo_pixel_ratio, "logo")
  result.compass.image = try image(given.compass, given.compass_pixel_ratio, "compass")
  return try result.checked()
}

private func image(_ given: OpaquePointer?, _ pixelRatio: Double, _ name: String) throws(NeatError)
  -> OrnamentImage?
{
  guard let given else { return nil }
  let handle: ImageHandle = Handle.object(given)
  do throws(NeatError) {
    // Before its pixels are copied.
    try OrnamentImage.check(width: handle.width, height: handle.height, pixelRatio: pixelRatio)
    return try OrnamentImage(handle.pixelImage, pixelRatio: pixelRatio)
  } catch {
    throw NeatError(error.code, "\(name): \(error.message)")
  }
}

// MARK: JSON

/// An object of the options, whose members are named as "scaleBar.units" where they are wrong.
private struct OrnamentMembers {
  let name: String
  let json: JSON

  init(_ json: JSON, _ name: String, known: [String]) throws(NeatError) {
    guard json.isObject else {
      throw NeatError(.invalidArgument, "\(name.isEmpty ? "ornaments" : "\"\(name)\"") is no JSON object")
    }
    try json.refuseMembers(besides: known, of: name.isEmpty ? "ornaments" : "members of \"\(name)\"")
    (self.json, self.name) = (json, name)
  }

  private func wrong(_ member: String, _ what: String) -> NeatError {
    NeatError(.invalidArgument, "\"\(name).\(member)\" is \(what)", offset: json[member]?.offset)
  }

  func text(_ member: String) throws(NeatError) -> String? {
    guard let value = json[member], !value.isNull else { return nil }
    guard let text = value.string else { throw wrong(member, "not a text") }
    return text
  }

  func bool(_ member: String) throws(NeatError) -> Bool? {
    guard let value = json[member], !value.isNull else { return nil }
    guard let bool = value.bool else { throw wrong(member, "not true or false") }
    return bool
  }

  func choice<T: RawRepresentable & CaseIterable>(_ member: String) throws(NeatError) -> T?
  where T.RawValue == String {
    guard let text = try text(member) else { return nil }
    guard let value = T(rawValue: text) else {
      throw wrong(member, "none of \(T.allCases.map(\.rawValue).joined(separator: ", ")): \"\(text)\"")
    }
    return value
  }

  func place(_ before: OrnamentPlace) throws(NeatError) -> OrnamentPlace {
    var place = before
    place.visibility = try choice("visibility") ?? .adaptive
    place.position = try choice("position") ?? before.position
    guard let value = json["margins"], !value.isNull else { return place }
    let numbers = value.elements.compactMap(\.number)
    guard value.isArray, value.count == 2, numbers.count == 2 else { throw wrong("margins", "not [x, y]") }
    place.margins = SIMD2(numbers[0], numbers[1])
    return place
  }
}

extension Ornaments {
  private static let placeNames = ["position", "margins", "visibility"]

  fileprivate init(_ json: JSON) throws(NeatError) {
    self.init()
    let all = try OrnamentMembers(json, "", known: OrnamentKind.allCases.map(\.name))
    for kind in OrnamentKind.allCases {
      guard let value = all.json[kind.name], !value.isNull else { continue }
      let own: [String] = kind == .scaleBar ? ["units"] : kind == .attribution ? ["text", "compact"] : []
      let members = try OrnamentMembers(value, kind.name, known: Ornaments.placeNames + own)
      let place = try members.place(place(of: kind))
      switch kind {
      case .scaleBar:
        scaleBar.place = place
        scaleBar.units = try members.choice("units") ?? .metric
      case .compass: compass.place = place
      case .attribution:
        attribution.place = place
        attribution.text = try members.text("text")
        attribution.isCompact = try members.bool("compact") ?? false
      case .logo: logo.place = place
      }
    }
  }

  fileprivate var json: JSON {
    .object(
      OrnamentKind.allCases.map { kind in
        let place = place(of: kind)
        var members: [(String, JSON)] = [
          ("position", .string(place.position.rawValue)),
          ("margins", .array([.number(place.margins.x), .number(place.margins.y)])),
          ("visibility", .string(place.visibility.rawValue)),
        ]
        if kind == .scaleBar { members.append(("units", .string(scaleBar.units.rawValue))) }
        if kind == .attribution {
          members += [
            ("text", attribution.text.map { .string($0) } ?? .null),
            ("compact", .bool(attribution.isCompact)),
          ]
        }
        return (kind.name, .object(members))
      })
  }
}
