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
  case whole(Style)
  case withImports(StyleImports)

  /// Throws where it is no style.
  /// - Parameter access: what the style may read of this machine.
  init(_ bytes: [UInt8], base: String, access: FileAccess) throws(NeatError) {
    self = try Trace.span("style", .data) { () throws(NeatError) in
      let json = try JSONDocument(parsing: bytes).root
      guard StyleImports.concerns(json) else { return .whole(try Style(json: json)) }
      let imports = StyleImports(json, base: base, allowsFiles: access == .all)
      // That the root is a style is known before the others are asked for.
      _ = try imports.style()
      return .withImports(imports)
    }
  }
}

extension LiveMap {
  /// Takes a style that was read: at once, or when those that it takes in are there, or known not to be.
  func take(_ read: ReadStyle, base: String, url: String?) {
    switch read {
    case .whole(let style): use(style, base: base, url: url)
    case .withImports(let imports): takeImports(imports, base: base, url: url)
    }
  }

  /// - Parameter isAtOnce: for a text that was handed in.
  private func takeImports(_ imports: StyleImports, base: String, url: String?, isAtOnce: Bool = true) {
    let lacking = imports.lacking
    guard !lacking.isEmpty else {
      if isAtOnce { return end(imports, Result { () throws(NeatError) in try imports.style() }, base, url) }
      let number = styleNumber
      let style = Locked<Result<Style, NeatError>?>(nil)
      isReadingStyle = loop.work({
        let read = Result { () throws(NeatError) in try imports.style() }
        style.withLock { $0 = read }
      }) { [weak self] in
        guard let self, self.styleNumber == number, !self.isDestroyed, self.core == nil,
          let read = style.withLock({ $0 })
        else { return }
        self.end(imports, read, base, url)
      }
      return
    }
    isReadingStyle = true
    self.imports = MapImports(styles: imports)
    let number = styleNumber
    for address in lacking {
      var request = ResourceRequest(kind: .style, url: address)
      request.allowsFiles = environment.options.fileAccess(base: base) != .none
      self.imports.requests[address] = environment.loader.load(request, on: loop, loadOptions) {
        [weak self] answer in
        guard let self, self.styleNumber == number, !self.isDestroyed,
          self.imports.requests[address] != nil, self.tellAnswer(request, answer)
        else { return }
        // What comes later does not change the style that is shown by then.
        self.imports.requests.removeValue(forKey: address)?.cancel()
        switch answer.result {
        case .data(let bytes): self.imports.styles?.take(address, .success(bytes))
        case .missing, .empty:
          self.imports.styles?.take(
            address, .failure(NeatError(.notFound, "no such style", resource: address)))
        case .failed(let error): self.imports.styles?.take(address, .failure(error))
        }
        guard self.imports.requests.isEmpty, let styles = self.imports.styles else { return }
        self.takeImports(styles, base: base, url: url, isAtOnce: false)
      }
    }
  }

  private func end(
    _ imports: StyleImports, _ style: Result<Style, NeatError>, _ base: String, _ url: String?
  ) {
    isReadingStyle = false
    switch style {
    case .success(let style): use(style, base: base, url: url, imports: imports)
    case .failure(let error): failStyle(error, url ?? "style")
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
  /// - Parameter access: what the style may read of this machine.
  func style(_ bytes: [UInt8], base: String, access: FileAccess) throws(NeatError) -> Style {
    switch try ReadStyle(bytes, base: base, access: access) {
    case .whole(let style): return style
    case .withImports(var imports):
      while case let lacking = imports.lacking, !lacking.isEmpty {
        for address in lacking {
          var request = ResourceRequest(kind: .style, url: address)
          request.allowsFiles = access != .none
          switch load(request) {
          case .data(let bytes): imports.take(address, .success(bytes))
          case .missing, .empty:
            imports.take(address, .failure(NeatError(.notFound, "no such style", resource: address)))
          case .failed(let error): imports.take(address, .failure(error))
          }
        }
      }
      return try imports.style()
    }
  }
}
