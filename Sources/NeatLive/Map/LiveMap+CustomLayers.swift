import NeatBase
import NeatCamera
import NeatJSON
import NeatMap
import NeatRaster
import NeatStyle

/// How an application draws a layer of its own. All is called on the loop's thread, and may call any function of the
/// map, but for drawing it.
package struct CustomLayerHost {
  /// Once, before the layer is drawn for the first time. Where it throws, the layer is not drawn, and `deinitialize`
  /// not called.
  package var initialize: () throws(NeatError) -> Void
  /// Once for each picture and each frame that a host takes.
  package var render: (CustomTarget) throws(NeatError) -> Void
  /// Once, when the layer has gone, where `initialize` was called.
  package var deinitialize: () -> Void
  /// The last call of all.
  package var release: () -> Void

  package init(
    initialize: @escaping () throws(NeatError) -> Void = { () throws(NeatError) in },
    render: @escaping (CustomTarget) throws(NeatError) -> Void, deinitialize: @escaping () -> Void = {},
    release: @escaping () -> Void = {}
  ) {
    (self.initialize, self.render, self.deinitialize, self.release) = (
      initialize, render, deinitialize, release
    )
  }
}

/// A layer of the application's. Only for the loop's thread.
final class CustomLayer {
  enum Phase {
    case new, ready, ended
    /// What `initialize` threw.
    case failed(NeatError)
  }

  let id: String
  let position: AnnotationOptions.Position
  /// Whether later styles have it too.
  let isPersistent: Bool
  let host: CustomLayerHost
  let target = CustomTarget()
  var phase = Phase.new
  /// Whether the style that is there has it.
  var isShown = false

  init(_ id: String, _ position: AnnotationOptions.Position, isPersistent: Bool, _ host: CustomLayerHost) {
    (self.id, self.position, self.isPersistent, self.host) = (id, position, isPersistent, host)
  }

  var json: JSON { .object([("id", .string(id)), ("type", .string(LayerType.custom.name))]) }
}

extension LiveMap {
  /// Layers of the application's that a map may have.
  package static let customLayerLimit = 1000

  /// Adds a layer that the application draws; one that is persistent also before there is a style. Throws
  /// `invalidArgument` for an id that is taken, `notFound` for a position that the style does not have, `state`,
  /// `limitExceeded`; the host is not called then.
  package func addCustomLayer(
    _ id: String, _ position: AnnotationOptions.Position, isPersistent: Bool = false, _ host: CustomLayerHost
  ) throws(NeatError) {
    guard !isDestroyed else { throw NeatError(.state, "the map was destroyed") }
    guard !id.isEmpty else { throw NeatError(.invalidArgument, "a layer's id is empty") }
    guard custom.layer(id) == nil else {
      throw NeatError(.invalidArgument, "a layer with this id is already there", resource: id)
    }
    guard custom.layers.count < LiveMap.customLayerLimit else {
      throw NeatError(.limitExceeded, "more than \(LiveMap.customLayerLimit) custom layers", resource: id)
    }
    let layer = CustomLayer(id, position, isPersistent: isPersistent, host)
    guard core != nil || !isPersistent else {
      custom.layers.append(layer)
      return
    }
    try edit { editor throws(NeatError) in
      try editor.addCustomLayer(layer.json, before: try position.before(editor.style))
      // Past all that can fail, and before anything is told.
      layer.isShown = true
      custom.layers.append(layer)
    }
  }

  /// Ends a layer: the application hears it with the next calls that it gets.
  func end(_ layer: CustomLayer) {
    custom.layers.removeAll { $0 === layer }
    layer.isShown = false
    if case .ready = layer.phase { custom.calls.add(layer.host.deinitialize) }
    layer.phase = .ended
    custom.calls.add(layer.host.release)
  }

  /// Removes a layer that the style which is there could not have; whether it was one.
  func removeUnshownCustomLayer(_ id: String) -> Bool {
    guard let layer = custom.layer(id), !layer.isShown else { return false }
    end(layer)
    tellHosts()
    return true
  }

  var persistentCustomLayers: [String] { custom.layers.filter(\.isPersistent).map(\.id) }

  /// What persistent layers add to a style that comes.
  func customLayersForStyle() -> [StyleAddition] {
    custom.layers.filter(\.isPersistent).map { layer in
      layer.isShown = false
      return StyleAddition(id: layer.id, part: .style) { editor, isOnTop throws(NeatError) in
        try editor.addCustomLayer(layer.json, before: isOnTop ? nil : try layer.position.before(editor.style))
      } added: {
        layer.isShown = true
      }
    }
  }

  /// Layers of a style that its successor, which cannot say them, keeps: each below the next one above it that the
  /// successor has too.
  func keepCustomLayers(of old: Style, in style: inout Style) -> [MapProblem] {
    var problems: [MapProblem] = []
    for (index, layer) in old.layers.enumerated().reversed() where layer.type == .custom {
      // A persistent one has its place already, or is refused it.
      guard let known = custom.layer(layer.id), !known.isPersistent else { continue }
      var editor = StyleEditor(style)
      do throws(NeatError) {
        let above = old.layers[(index + 1)...].first { editor.style.layerIndex($0.id) != nil }
        try editor.addCustomLayer(layer.json, before: above?.id)
        style = editor.style
      } catch {
        problems.append(MapProblem(error, resource: layer.id, part: .style))
      }
    }
    return problems
  }

  // MARK: Drawing

  func checkNotDrawing() throws(NeatError) {
    guard !custom.isDrawing else {
      throw NeatError(.state, "a layer of the application's is being drawn: the map cannot be drawn now")
    }
  }

  /// Has the layers of the application's draw on a picture; nil where there are none.
  func customPainter(_ view: Transform?, _ executor: Executor) -> CustomPainter? {
    guard !custom.layers.isEmpty, let view = view ?? currentView else { return nil }
    let grounded = core?.grounded(view) ?? view
    return { id, bitmap, scene in
      _ = self.drawCustom(id, grounded, .pixels(bitmap, executor, scene))
    }
  }

  /// A frame with what layers of the application's draw in it.
  func addCustom(to frame: MeshFrame, _ view: Transform?) -> MeshFrame {
    guard !custom.layers.isEmpty, let view = view ?? currentView else { return frame }
    var frame = frame.adding { id in drawCustom(id, view, .frame) }
    reportCustom(in: &frame.report)
    return frame
  }

  private func drawCustom(_ id: String, _ view: Transform, _ surface: CustomTarget.Surface) -> [CustomMesh] {
    // One drawn before it may have removed it, or ended the map.
    guard let layer = custom.layer(id) else { return [] }
    custom.isDrawing = true
    defer { custom.isDrawing = false }
    do throws(NeatError) {
      if case .new = layer.phase {
        layer.phase = .ready
        do throws(NeatError) { try layer.host.initialize() } catch {
          if case .ready = layer.phase { layer.phase = .failed(error) }
        }
      }
      switch layer.phase {
      case .ready: break
      case .failed(let error): throw error
      case .new, .ended: return []
      }
      layer.target.begin(view, surface)
      try layer.host.render(layer.target)
    } catch {
      custom.faults.append((id, error))
    }
    return layer.target.end()
  }

  /// Says in a picture's report what could not be drawn, and keeps it among the map's problems.
  func reportCustom(in report: inout Report) {
    guard !custom.faults.isEmpty else { return }
    let faults = custom.faults
    custom.faults = []
    for (id, error) in faults {
      var entry = Missing(.style, "layers.\(id)", error.code, error.message, isFailure: true)
      entry.layer = id
      report.add(entry)
      core?.report(MapProblem(error, resource: id, part: .style))
    }
    // Which tells them.
    scheduleTurn()
  }
}
