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
  init(_ bytes: [UInt8], base: String) throws(NeatError) {
    self = try Trace.span("style", .data) { () throws(NeatError) in
      let json = try JSONDocument(parsing: bytes).root
      guard StyleImports.concerns(json) else { return .whole(try Style(json: json)) }
      let imports = StyleImports(json, base: base)
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

  private func takeImports(_ imports: StyleImports, base: String, url: String?) {
    let lacking = imports.lacking
    guard !lacking.isEmpty else {
      isReadingStyle = false
      do throws(NeatError) {
        let style = try imports.style()
        use(style, base: base, url: url, imports: imports)
      } catch { failStyle(error, url ?? "style") }
      return
    }
    isReadingStyle = true
    self.imports = MapImports(styles: imports)
    let number = styleNumber
    for address in lacking {
      let request = ResourceRequest(kind: .style, url: address)
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
        self.takeImports(styles, base: base, url: url)
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
    let steps = Style.diff(from: try before.style(), to: try after.style())
    try edit { editor throws(NeatError) in
      for step in steps {
        do throws(NeatError) { try editor.apply(step) } catch {
          // What the application has removed is not there to be changed.
          guard error.code == .notFound else { throw error }
        }
      }
      imports.styles = after
    }
  }
}

extension ResourceLoader {
  /// A style from its text, with those that it takes in, which this waits for. Throws where it is no style.
  package func style(_ bytes: [UInt8], base: String) throws(NeatError) -> Style {
    switch try ReadStyle(bytes, base: base) {
    case .whole(let style): return style
    case .withImports(var imports):
      while case let lacking = imports.lacking, !lacking.isEmpty {
        for address in lacking {
          switch load(ResourceRequest(kind: .style, url: address)) {
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
