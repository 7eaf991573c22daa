import CNeatline

extension OrnamentOptions {
  /// Throws where a margin is no number, which JSON does not have.
  var json: JSONValue {
    get throws(NeatlineError) {
      var bar = try OrnamentOptions.members(
        "scaleBar", scaleBar.position, scaleBar.margins,
        scaleBar.units == .none ? .hidden : scaleBar.visibility)
      bar.append(.init("units", .string(scaleBar.units == .none ? "metric" : "\(scaleBar.units)")))
      var credit = try OrnamentOptions.members(
        "attributionButton", attributionButton.position, attributionButton.margins,
        attributionButton.visibility)
      credit.append(.init("text", attributionButton.text.map { .string($0) } ?? .null))
      credit.append(.init("compact", .bool(attributionButton.isCompact)))
      return .object([
        .init("scaleBar", .object(bar)),
        .init(
          "compass",
          .object(
            try OrnamentOptions.members("compass", compass.position, compass.margins, compass.visibility))),
        .init("attribution", .object(credit)),
        .init(
          "logo",
          .object(try OrnamentOptions.members("logo", logo.position, logo.margins, logo.visibility))),
      ])
    }
  }

  private static func members(
    _ name: String, _ position: OrnamentPosition, _ margins: ScreenPoint, _ visibility: OrnamentVisibility
  ) throws(NeatlineError) -> [JSONValue.Member] {
    guard margins.x.isFinite, margins.y.isFinite else {
      throw NeatlineError(
        .invalidArgument, "ornament options: margins \(margins.x), \(margins.y) of \(name) are no numbers")
    }
    return [
      .init("position", .string(position.rawValue)),
      .init("margins", .array([.number(margins.x), .number(margins.y)])),
      .init("visibility", .string(visibility.rawValue)),
    ]
  }

  /// Hands them to a function as C has them. `json`: what `json` gives.
  func withC(_ json: String, _ body: (UnsafePointer<neat_ornaments>) -> neat_status) -> neat_status {
    withExtendedLifetime((logo.image, compass.image)) {
      json.withText { text, size in
        var given = neat_ornaments()
        given.struct_size = UInt32(MemoryLayout<neat_ornaments>.size)
        (given.json, given.json_size) = (text, size)
        (given.logo, given.logo_pixel_ratio) = (logo.image?.pointer, logo.imagePixelRatio)
        (given.compass, given.compass_pixel_ratio) = (compass.image?.pointer, compass.imagePixelRatio)
        return body(&given)
      }
    }
  }
}
