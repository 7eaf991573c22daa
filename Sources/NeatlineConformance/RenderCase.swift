import Neatline

/// A render case: draws, and compares with every `expected*.png`.
enum RenderCase {
  static func outcome(_ name: String, _ setting: Setting) -> Outcome {
    var outcome = Outcome(name: name)
    do { try run(&outcome, setting) } catch { outcome.reason = oneLine("\(error)") }
    return outcome
  }

  private static func run(_ outcome: inout Outcome, _ setting: Setting) throws {
    let folder = "\(setting.directory)/\(outcome.name)"
    let expected = try Files.list(folder).filter { $0.hasPrefix("expected") && $0.hasSuffix(".png") }.map {
      try Picture.png(Files.read("\(folder)/\($0)"))
    }
    let style = try JSONValue(parsing: Files.read("\(folder)/style.json"))
    defer { StyleAddresses.cleanUp(style) }
    let test = style["metadata"]?["test"] ?? [:]
    let allowed = test["allowed"]?.number ?? 0.00025
    let threshold = test["threshold"]?.number ?? 0.1285
    for picture in expected {
      let blank = Pixelmatch.compare(picture, .blank(picture.width, picture.height), threshold: threshold)
      if passes(blank.differing, picture, allowed) { outcome.blankPasses = true }
    }
    let mapCase = try MapCase(outcome.name, setting)
    try mapCase.runOperations()
    var actual = Picture(unpremultiplying: try mapCase.map.draw())
    crop(&actual, test)
    try judge(actual, expected, threshold: threshold, allowed: allowed, mapCase.problems, &outcome, setting)
  }

  private static func passes(_ differing: Int, _ picture: Picture, _ allowed: Double) -> Bool {
    Double(differing) / Double(picture.width * picture.height) <= allowed
  }

  /// Keeps the lower left part where the case wants fewer pixels than the view has.
  private static func crop(_ picture: inout Picture, _ test: JSONValue) {
    let width = min(picture.width, Int(test["reportWidth"]?.number ?? Double(picture.width)))
    let height = min(picture.height, Int(test["reportHeight"]?.number ?? Double(picture.height)))
    if width == picture.width && height == picture.height { return }
    var result = Picture.blank(width, height)
    for y in 0..<height {
      let from = ((picture.height - height + y) * picture.width) * 4
      result.pixels.replaceSubrange(
        y * width * 4..<(y + 1) * width * 4, with: picture.pixels[from..<from + width * 4])
    }
    picture = result
  }

  private static func judge(
    _ actual: Picture, _ expected: [Picture], threshold: Double, allowed: Double, _ problems: [String],
    _ outcome: inout Outcome,
    _ setting: Setting
  ) throws {
    var best: (share: Double, picture: Picture)?
    for picture in expected where picture.width == actual.width && picture.height == actual.height {
      let differing = Pixelmatch.compare(actual, picture, threshold: threshold).differing
      if passes(differing, picture, allowed) { return }
      let share = Double(differing) / Double(picture.width * picture.height)
      if share < best?.share ?? 2 { best = (share, picture) }
    }
    let note = problems.first.map { "; \($0)" } ?? ""
    if let best {
      let permille = Double(Int(best.share * 1_000_000)) / 10_000
      outcome.reason = oneLine("\(permille) % of the pixels differ, \(allowed * 100) % allowed\(note)")
    } else {
      outcome.reason =
        "the picture is \(actual.width)x\(actual.height), expected \(expected.map { "\($0.width)x\($0.height)" })"
    }
    guard let report = setting.report else { return }
    func keep(_ kind: String, _ picture: Picture) throws {
      let path = "\(outcome.name)/\(kind).png"
      try Files.write("\(report)/\(path)", picture.png())
      outcome.pictures.append(path)
    }
    if let best {
      try keep("expected", best.picture)
    } else if let first = expected.first {
      try keep("expected", first)
    }
    try keep("actual", actual)
    if let best,
      let difference = Pixelmatch.compare(actual, best.picture, threshold: threshold, drawsDifference: true)
        .difference
    {
      try keep("difference", difference)
    }
  }
}

/// A query case: what is drawn at a point or in a box, compared with `expected.json`.
enum QueryCase {
  static func outcome(_ name: String, _ setting: Setting) -> Outcome {
    var outcome = Outcome(name: name)
    do { try run(name, setting) } catch { outcome.reason = oneLine("\(error)") }
    return outcome
  }

  private static func run(_ name: String, _ setting: Setting) throws {
    let expected = try JSONValue(parsing: Files.read("\(setting.directory)/\(name)/expected.json"))
    let mapCase = try MapCase(name, setting)
    try mapCase.runOperations()
    _ = try mapCase.map.draw()
    guard let geometry = mapCase.test["queryGeometry"] else { throw Failure("no queryGeometry") }
    func number(_ value: JSONValue?) throws -> Double {
      guard let number = value?.number else { throw Failure("queryGeometry \(geometry.text)") }
      return number * mapCase.ratio
    }
    let isPoint = geometry[0]?.number != nil
    let (x0, y0) = (
      try number(isPoint ? geometry[0] : geometry[0]?[0]), try number(isPoint ? geometry[1] : geometry[0]?[1])
    )
    let (x1, y1) = isPoint ? (x0, y0) : (try number(geometry[1]?[0]), try number(geometry[1]?[1]))
    let box = (x0: min(x0, x1), y0: min(y0, y1), x1: max(x0, x1), y1: max(y0, y1))
    let found = try mapCase.map.query(in: box, options: mapCase.test["queryOptions"]).map {
      $0.without("layer")
    }
    // Geometry, properties and state are compared; a few expectations have the layer too.
    let wanted = JSONValue.array((expected.array ?? []).map { $0.without("layer") })
    if let difference = JSONCompare.difference(wanted, .array(found), digits: 10) {
      throw Failure(difference)
    }
  }
}
