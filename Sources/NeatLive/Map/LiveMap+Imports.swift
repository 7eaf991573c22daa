import NeatBase
import NeatJSON
import NeatMap
import NeatResource
import NeatStyle

/// The styles that the map's one takes in.
struct MapImports {
  /// Nil for a style that takes in none and leaves nothing open.
  var styles: StyleImports?
  /// Those that are on their way.
  var requests: [String: CancelHandle] = [:]
}

/// A style's text as it was read.
enum ReadStyle: Sendable {
  /// With what it takes in, where that stands in it.
  case whole(Style, StyleImports?)
  /// Others are to come first.
  case lacking(StyleImports, [String])

  /// Throws where it is no style.
  /// - Parameters:
  ///   - access: what the style may read of this machine.
  ///   - executor: reads the layers of a style that takes in no other.
  ///   - ahead: what another thread may do meanwhile. It is waited for: it is to be over soon.
  init(
    _ bytes: [UInt8], base: String, access: FileAccess, executor: Executor = .inline,
    ahead: @escaping @Sendable (JSON) -> Void = { _ in }
  ) throws(NeatError) {
    self = try Trace.span("style", .data) { () throws(NeatError) in
      let json = try JSONDocument(parsing: bytes).root
      guard StyleImports.concerns(json) else {
        return .whole(try ReadStyle.read(json, executor, ahead), nil)
      }
      // That the root is a style is known before the others are asked for.
      return try ReadStyle(StyleImports(json, base: base, allowsFiles: access == .all))
    }
  }

  private static func read(_ json: JSON, _ executor: Executor, _ ahead: @escaping @Sendable (JSON) -> Void)
    throws(NeatError) -> Style
  {
    guard executor.width > 1 else { return try Style(json: json, executor: executor) }
    let style = ParallelResults<Result<Style, NeatError>>(count: 1)
    executor.forEach(2) { piece in
      if piece > 0 { return ahead(json) }
      do throws(NeatError) {
        style.set(0, .success(try Style(json: json, executor: executor)))
      } catch {
        style.set(0, .failure(error))
      }
    }
    return try style.take(0)!.get()
  }

  /// With the styles that have come by now.
  init(_ imports: StyleImports) throws(NeatError) {
    let (style, lacking) = try imports.read()
    self = lacking.isEmpty ? .whole(style, imports) : .lacking(imports, lacking)
  }
}

extension LiveMap {
  /// Takes a style that was read: at once, or when those that it takes in are there, or known not to be.
  func take(_ read: ReadStyle, base: String, url: String?) {
    switch read {
    case .whole(let style, let imports): use(style, base: base, url: url, imports: imports)
    case .lacking(let imports, let lacking): ask(lacking, of: imports, base: base, url: url)
    }
  }

  private func ask(_ lacking: [String], of imports: StyleImports, base: String, url: String?) {
    isReadingStyle = true
    self.imports = MapImports(styles: imports)
    let number = styleNumber
    for address in lacking {
      let request = ResourceRequest(
        importOf: address, access: environment.options.fileAccess(base: base))
      self.imports.requests[address] = environment.loader.load(request, on: loop, loadOptions) {
        [weak self] answer in
        guard let self, self.styleNumber == number, !self.isDestroyed,
          self.imports.requests[address] != nil, self.tellAnswer(request, answer)
        else { return }
        // What comes later does not change the style that is shown by then.
        self.imports.requests.removeValue(forKey: address)?.cancel()
        self.imports.styles?.take(address, answer.result)
        guard self.imports.requests.isEmpty, let styles = self.imports.styles else { return }
        self.read(base: base, url: url) { () throws(NeatError) in try ReadStyle(styles) }
      }
    }
  }

  /// The style, then those that it takes in; empty where it takes in none and leaves nothing open.
  package var importEntries: [StyleImports.Entry] { imports.styles?.entries ?? [] }

  /// Sets a value that the style, or one that it takes in, leaves open; nil goes back. What it changes of the
  /// style is changed step by step; what the application has changed stays.
  package func setImportConfig(_ path: String, _ name: String, _ value: JSON?) throws(NeatError) {
    _ = try loadedCore()
    guard let before = imports.styles else {
      throw NeatError(.notFound, "the style takes in no other and has no schema", resource: path)
    }
    var after = before
    try after.set(path, name, value)
    let language = environment.options.language
    let target = try after.style()
    let steps = Style.diff(from: try before.style().localized(language), to: try target.localized(language))
    try edit { editor throws(NeatError) in
      for step in steps {
        do throws(NeatError) { try editor.apply(step) } catch {
          guard error.code == .notFound else { throw error }
          // What the application has removed is not there to be changed; a layer whose neighbour it has removed is
          // on top.
          if case .addLayer(let layer, let before?) = step, editor.style.layerIndex(before) == nil {
            try editor.addLayer(layer)
          }
        }
      }
      editor.setSlots(target.slots)
      imports.styles = after
    }
  }
}

extension ResourceLoader {
  /// A style from its text, with those that it takes in, which this waits for. Throws where it is no style.
  /// - Parameters:
  ///   - access: what the style may read of this machine.
  ///   - executor: reads the layers of a style that takes in no other.
  func style(
    _ bytes: [UInt8], base: String, access: FileAccess, executor: Executor = .inline
  ) throws(NeatError) -> Style {
    var read = try ReadStyle(bytes, base: base, access: access, executor: executor) { json in
      self.openArchives(of: json, base: base, access: access)
    }
    while true {
      switch read {
      case .whole(let style, _): return style
      case .lacking(var imports, let lacking):
        for address in lacking {
          imports.take(address, load(ResourceRequest(importOf: address, access: access)))
        }
        read = try ReadStyle(imports)
      }
    }
  }
}

extension ResourceLoader {
  /// Archives that are opened while a style is read.
  private static let archivesAhead = 2

  /// Opens the first archives that a style's sources name, which its first picture would wait for.
  private func openArchives(of style: JSON, base: String, access: FileAccess) {
    // A style of another version is refused, and nothing that it names is touched.
    if let version = style["version"], version.number != Double(Style.version) { return }
    guard let sources = style["sources"], sources.isObject else { return }
    var known: [String] = []
    for (_, source) in sources.members {
      guard let url = source["url"]?.string else { continue }
      var request = ResourceRequest(kind: .source, url: Address.resolve(url, base: base))
      request.allowsFiles = access != .none
      guard !known.contains(request.url), openArchive(request) else { continue }
      known.append(request.url)
      if known.count == ResourceLoader.archivesAhead { return }
    }
  }
}

extension ResourceRequest {
  /// For a style that another one takes in.
  fileprivate init(importOf address: String, access: FileAccess) {
    self.init(kind: .style, url: address)
    allowsFiles = access != .none
  }
}

extension StyleImports {
  fileprivate mutating func take(_ url: String, _ result: ResourceResult) {
    switch result {
    case .data(let bytes): take(url, .success(bytes))
    case .missing, .empty: take(url, .failure(NeatError(.notFound, "no such style", resource: url)))
    case .failed(let error): take(url, .failure(error))
    }
  }
}
