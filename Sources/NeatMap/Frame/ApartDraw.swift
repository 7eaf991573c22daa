import NeatBase
import NeatRaster
import NeatStyle

/// A layer with an opacity as a whole (`fill-layer-opacity`, `line-layer-opacity`): it is drawn into a picture of its
/// own, in which what overlaps blends as ever, and that picture is blended once.
package struct ApartDraw: Sendable {
  let commands: [DrawCommand]
  /// 0...255.
  let opacity: UInt32

  func draw(_ worker: BandWorker) {
    worker.drawApart(opacity: opacity) { worker in
      for command in commands { command.draw(worker) }
    }
  }
}

extension FrameBuilder {
  /// The opacity of a layer as a whole, 0...1.
  func layerOpacity(_ layer: LayerInFrame) -> Double {
    let property: Property
    switch layer.style.type {
    case .fill: property = .fillLayerOpacity
    case .line: property = .lineLayerOpacity
    default: return 1
    }
    guard layer.style.isSet(property) else { return 1 }
    return min(max(layer.style[property].number(evaluator, at: camera), 0), 1)
  }

  /// Adds what `body` adds as one layer with an opacity as a whole. Layers without one cost nothing.
  mutating func addWhole(_ layer: LayerInFrame, _ body: (inout FrameBuilder) -> Void) {
    let opacity = UInt32(saturating: layerOpacity(layer) * 255 + 0.5)
    guard opacity > 0 else { return }
    let first = commands.count
    body(&self)
    guard opacity < 255, commands.count > first else { return }
    let layer = ApartDraw(commands: Array(commands[first...]), opacity: opacity)
    commands.removeSubrange(first...)
    commands.append(.apart(layer))
  }
}
