import NeatBase
import NeatCamera
import NeatLayout
import NeatStyle
import NeatText
import NeatTile

extension MapCore {
  /// The report of a view, with what is told once.
  /// - Parameter tiles: what it is drawn from.
  func takeReport(_ state: inout State, _ transform: Transform, _ tiles: [String: [TileInView]]) -> Report {
    var report = report(state, transform, tiles)
    for notice in state.log.takeNotices() { report.add(notice) }
    return report
  }

  /// Begins anew with the sources of archives that were replaced, and tells that in the list of problems and
  /// in the next report.
  package func dropArchives(_ urls: [String]) {
    for url in urls {
      let problem = MapProblem(
        resource: url, message: "the archive was replaced while it was open: it is opened anew",
        code: .archive, part: .source)
      report(problem)
      state.withLock { state in
        var notice = Missing(.archive, problem, isFailure: false)
        for (id, source) in state.sources where source.tileSet.templates.contains(url) {
          state.begin(source.spec)
          state.dropLayouts(of: id)
          notice.source = id
          state.log.notice(notice)
        }
      }
    }
  }

  /// What a view has to do without, from what is there now: also what was found out for an earlier view.
  /// Patterns and what nothing draws come with `FrameBuilder.reportPatterns` and `reportStyle`.
  private func report(_ state: State, _ transform: Transform, _ tiles: [String: [TileInView]]) -> Report {
    var report = Report()
    reportSprites(state, &report)
    for used in usedSources(state, zoom: transform.camera.zoom) {
      guard let source = state.sources[used.id] else { continue }
      reportSource(source, state, transform, hasLabels: used.hasLabels, &report)
    }
    reportLayouts(state, tiles, transform, &report)
    return report
  }

  private func reportSprites(_ state: State, _ report: inout Report) {
    for sprite in state.style.sprites {
      if let fault = sprite.fault {
        report.add(Missing(.sprite, fault.problem))
      } else if !sprite.isSettled {
        report.add(
          .late(.sprite, ResourceAddress.sprite(sprite.url, pixelRatio: options.pixelRatio, suffix: "")))
      }
    }
  }

  // MARK: Sources and tiles

  /// What a view lacks of a source.
  func reportSource(
    _ source: SourceState, _ state: State, _ transform: Transform, hasLabels: Bool, _ report: inout Report
  ) {
    switch source.phase {
    case .failed:
      let fault =
        source.fault?.problem
        ?? MapProblem(
          resource: source.id, message: "the source has neither \"tiles\" nor \"url\"", code: .style)
      report.add(Missing(.source, fault, source: source.id))
    case .waiting:
      if case .video = source.spec.kind {
        var entry = Missing(
          .style, "sources.\(source.id)", .unsupported, "sources of type video are not drawn",
          isFailure: false)
        entry.source = source.id
        report.add(entry)
      } else {
        report.add(
          .late(
            .source, source.metadataNeed(base: state.style.base)?.request.url ?? source.id, source: source.id)
        )
      }
    case .ready:
      guard source.spec.hasTiles || source.geojson != nil else { return }
      let (tiles, isWhole) = cover(source, hasLabels ? transform.labelView : transform)
      if !isWhole {
        report.add(Missing(.tile, .tooManyTiles(source.id), source: source.id, isFailure: false))
      }
      if source.spec.hasTiles { reportTiles(source, state, tiles, transform, &report) }
    }
  }

  private func reportTiles(
    _ source: SourceState, _ state: State, _ tiles: [OverscaledTileID], _ transform: Transform,
    _ report: inout Report
  ) {
    let zoom = transform.camera.zoom
    // Most tiles can be read.
    var shown: ShownTileLayers?
    let undeclared = undeclaredLayers(source, state)
    var names: Set<String> = []
    var isWhole = true
    var hasData = false
    var seen = Set<TileID>(minimumCapacity: tiles.count)
    for tile in tiles {
      let id = source.loadable(tile.canonical)
      guard seen.insert(id).inserted else { continue }
      switch source.content(id) {
      case .vector(let vector)?:
        hasData = true
        if vector.faults?.isEmpty == false {
          let layers =
            shown
            ?? ShownTileLayers(
              source.id, state, zoom: zoom,
              inView: Set(cover(source, transform).tiles.map { source.loadable($0.canonical) }),
              evaluator(state))
          shown = layers
          report.addFaults(source.faults(of: vector, id, options) { layers.contains($0, of: vector, id) })
        }
        if undeclared.isEmpty { continue }
        for entry in vector.entries { names.insert(entry.name) }
      case .raster?, .elevation?, .empty?: break
      case .absent?, .unreachable?:
        isWhole = false
        guard let fault = source.fault(of: id) else { continue }
        // A server's data may be sparse: what it says not to have is no failure.
        report.add(Missing(.tile, fault, source: source.id, tile: id, isFailure: fault.code != .notFound))
      case nil:
        isWhole = false
        let url = source.request(id, pixelRatio: options.pixelRatio)?.url
        report.add(.late(.tile, url ?? source.id, source: source.id, tile: id))
      }
    }
    if isWhole, hasData { reportSourceLayers(undeclared, source, state, names, zoom, &report) }
  }

  /// Layers that draw from a source layer that their source does not say to have, by place in the style.
  private func undeclaredLayers(_ source: SourceState, _ state: State) -> [Int] {
    let declared = source.tileSet.vectorLayers
    return viewMemory.undeclared(state.style.version, source.id, declared) {
      let layers = state.style.document.layers
      return layers.indices.filter { place in
        guard layers[place].source == source.id, let name = layers[place].sourceLayer else { return false }
        return declared?.contains(name) != true
      }
    }
  }

  /// Layers whose data no tile of the view has, though all of them are there; those that the source says to
  /// have may lie elsewhere.
  private func reportSourceLayers(
    _ undeclared: [Int], _ source: SourceState, _ state: State, _ names: Set<String>, _ zoom: Double,
    _ report: inout Report
  ) {
    var evaluator: Evaluator?
    for layer in undeclared.map({ state.style.document.layers[$0] }) {
      guard let name = layer.sourceLayer, !names.contains(name) else { continue }
      let known = evaluator ?? self.evaluator(state)
      evaluator = known
      guard layer.isVisible(zoom: zoom, known) else { continue }
      var entry = Missing(
        .sourceLayer, name, .notFound, "no tile of the view has the source layer \"\(name)\"",
        isFailure: false)
      (entry.source, entry.layer) = (source.id, layer.id)
      report.add(entry)
    }
  }

  // MARK: What is laid out

  private func reportLayouts(
    _ state: State, _ tiles: [String: [TileInView]], _ transform: Transform, _ report: inout Report
  ) {
    let lacking = lackingLayouts(tiles, state, transform)
    if lacking.isEmpty { return }
    var characters: [CharacterGroup: Set<UInt32>] = [:]
    // Many tiles lack the same.
    var ranges: Set<RangeOfLayer> = []
    var images: Set<ImageOfLayer> = []
    for (key, entry, layers) in lacking {
      for image in entry.images.missing(in: state.style.images)
      where layers?.contains(image.layer) != false && images.insert(image).inserted {
        report.add(missingImage(image.name, state.style.document.layers, image.layer))
      }
      for (layer, notes) in entry.lackingNotes where layers?.contains(layer) != false {
        if let fault = notes.fault {
          report.addFault(fault, state.style.document.layers, layer, key.id.canonical)
        }
        if state.style.document.layers.indices.contains(layer) {
          for overrun in notes.overruns {
            report.add(overrun, of: state.style.document.layers[layer])
          }
        }
        for range in notes.awaited where ranges.insert(RangeOfLayer(layer: layer, range: range)).inserted {
          reportRange(range, state, layer, &report)
        }
        guard let gaps = notes.gaps else { continue }
        for range in gaps.ranges where ranges.insert(RangeOfLayer(layer: layer, range: range)).inserted {
          reportRange(range, state, layer, &report)
        }
        for (stack, codes) in gaps.characters {
          for code in codes {
            let group = CharacterGroup(layer: layer, stack: stack, script: scriptCode(code))
            characters[group, default: []].insert(code)
          }
        }
      }
    }
    if characters.isEmpty { return }
    for (group, codes) in characters.sorted(by: { $0.key < $1.key }) {
      let layers = state.style.document.layers
      report.addCharacters(
        stack: group.stack, script: group.script, codes,
        layer: layers.indices.contains(group.layer) ? layers[group.layer].id : nil)
    }
  }

  /// What is laid out of a view's tiles and lacks something, in a steady order, and which layers are drawn of it; nil:
  /// all.
  private func lackingLayouts(_ tiles: [String: [TileInView]], _ state: State, _ transform: Transform)
    -> [(key: LayoutKey, entry: LayoutEntry, layers: Set<Int>?)]
  {
    // Most lack nothing.
    var lacking: [String: [TileInView]] = [:]
    var entries: [LayoutKey: LayoutEntry] = [:]
    for (source, tiles) in tiles {
      for tile in tiles {
        let key = LayoutKey(source: source, id: tile.drawn.unwrapped)
        guard let entry = state.layouts.entries[key], entry.lacks(state.style.images) else { continue }
        entries[key] = entry
        lacking[source, default: []].append(tile)
      }
    }
    if lacking.isEmpty { return [] }
    return layoutsInView(lacking, state, transform).sorted { $0.key < $1.key }.compactMap { key, inView in
      entries[key].map { (key, $0, inView.layers) }
    }
  }

  /// That an image is missing, in words that are kept: frames say the same again and again.
  private func missingImage(_ name: String, _ layers: [StyleLayer], _ layer: Int) -> Missing {
    let id = layers.indices.contains(layer) ? layers[layer].id : nil
    return viewMemory.missingImage(name, layer: id)
  }

  private func reportRange(_ key: GlyphRangeKey, _ state: State, _ layer: Int, _ report: inout Report) {
    let layers = state.style.document.layers
    reportRange(
      key, server: state.style.glyphServer, layer: layers.indices.contains(layer) ? layers[layer].id : nil,
      &report)
  }

  /// A glyph range that is not there.
  func reportRange(
    _ key: GlyphRangeKey, server: GlyphServerID, layer: String?, _ report: inout Report
  ) {
    let resource = "\(key.fontStack)/\(key.range * 256)-\(key.range * 256 + 255)"
    let stack = glyphs.fontStack(key.fontStack, server: server)
    var entry: Missing
    if let fault = glyphs.fault(range: key.range, fontStack: stack) {
      // Fonts may stand in for what a server does not have; characters that they lack are told apart.
      let isFailure = fault.code != .notFound || !glyphs.hasFontFiles
      entry = Missing(.glyphs, fault.resource ?? resource, fault.code, fault.message, isFailure: isFailure)
    } else {
      entry = .late(.glyphs, resource)
    }
    entry.layer = layer
    report.add(entry)
  }
}

/// A glyph range that a layer lacks.
private struct RangeOfLayer: Hashable {
  let layer: Int
  let range: GlyphRangeKey
}

/// Characters of one script that a layer asks of one font stack.
private struct CharacterGroup: Hashable, Comparable {
  var layer: Int
  var stack: String
  var script: String

  static func < (a: CharacterGroup, b: CharacterGroup) -> Bool {
    (a.layer, a.stack, a.script) < (b.layer, b.stack, b.script)
  }
}

extension Report {
  /// Characters shown of those that no font has.
  private static let sampleSize = 8

  /// Characters of one script that neither a server nor a font has.
  mutating func addCharacters(stack: String, script: String, _ codes: Set<UInt32>, layer: String?) {
    let scalars = codes.sorted().prefix(Report.sampleSize).compactMap(Unicode.Scalar.init)
    let names = scalars.map { scalar in
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
    let more = codes.count > scalars.count ? " …" : ""
    var entry = Missing(
      .characters, stack, .font,
      "no font has \(codes.count) character\(codes.count == 1 ? "" : "s") of the script \(script): \(names.joined(separator: " "))\(more)",
      isFailure: false)
    entry.layer = layer
    entry.script = script
    var sample = String.UnicodeScalarView()
    sample.append(contentsOf: scalars)
    entry.sample = String(sample)
    add(entry)
  }

  fileprivate mutating func addFault(_ error: NeatError, _ layers: [StyleLayer], _ layer: Int, _ tile: TileID)
  {
    guard layers.indices.contains(layer) else { return }
    let id = layers[layer].id
    var entry = Missing(.style, "layers.\(id)", error.code, error.message, isFailure: true)
    (entry.layer, entry.source, entry.tile) = (id, layers[layer].source, tile)
    add(entry)
  }

  mutating func addImage(_ name: String, _ layers: [StyleLayer], _ layer: Int) {
    add(Missing(image: name, layer: layers.indices.contains(layer) ? layers[layer].id : nil))
  }
}

extension FrameBuilder {
  /// Adds the patterns that layers name and nobody has.
  mutating func reportPatterns() {
    let zoom = transform.camera.zoom
    for index in isChanging ? Array(style.layers.indices) : facts.patterned {
      let layer = style.layers[index]
      guard let property = layer.type.pattern, layer.isSet(property), layer.isVisible(zoom: zoom, evaluator)
      else { continue }
      if layer.type == .background {
        if let name = layer[property].image(evaluator, at: camera)?.name, !name.isEmpty, images[name] == nil {
          report.addImage(name, style.layers, index)
        }
        continue
      }
      for tile in layer.source.flatMap({ tiles[$0] }) ?? [] {
        let names: ResolvedImages
        switch tile.layout?.buckets[index] {
        case .fill(let bucket)?: names = bucket.pattern.resolved(evaluator, at: camera)
        case .line(let bucket)?: names = bucket.paint.pattern.resolved(evaluator, at: camera)
        case .extrusion(let bucket)?: names = bucket.pattern.resolved(evaluator, at: camera)
        default: continue
        }
        if names.values.isEmpty, !names.uniform.isEmpty, images[names.uniform] == nil {
          report.addImage(names.uniform, style.layers, index)
        }
        guard !names.values.isEmpty else { continue }
        for name in Set(names.values).sorted() where !name.isEmpty && images[name] == nil {
          report.addImage(name, style.layers, index)
        }
      }
    }
  }
}
