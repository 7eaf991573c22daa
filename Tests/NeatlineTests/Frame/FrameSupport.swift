import Neatline
import Testing

extension Frame {
  /// Checks what holds for every frame: the order of layers, and that buffers hold what commands take of
  /// them.
  func check(_ location: SourceLocation = #_sourceLocation) {
    var last = 0
    for (number, command) in commands.enumerated() {
      #expect(
        command.layerIndex >= last, "command \(number) of layer \(command.layer)", sourceLocation: location)
      last = command.layerIndex
      guard command.kind != .unsupported else { continue }
      guard let vertices = command.vertices, let indices = command.indices else {
        Issue.record("command \(number) has no vertices", sourceLocation: location)
        continue
      }
      #expect(vertices.layout == command.vertexLayout, sourceLocation: location)
      #expect(command.vertexRange.upperBound <= vertices.count, sourceLocation: location)
      if let paint = command.paint {
        #expect(command.vertexRange.upperBound <= paint.count, sourceLocation: location)
      }
      #expect(command.indexRange.upperBound <= indices.count, sourceLocation: location)
      #expect(command.indexRange.count % (command.primitive == .lines ? 2 : 3) == 0, sourceLocation: location)
      #expect(!command.indexRange.isEmpty, sourceLocation: location)
      if indices.layout == .index16 { #expect(command.vertexRange.count < 65536, sourceLocation: location) }
      #expect(
        command.indexNumbers.allSatisfy { $0 < command.vertexRange.count }, "command \(number)",
        sourceLocation: location)
      #expect((command.textureUse == .none) == (command.texture == nil), sourceLocation: location)
      #expect((0..<16).allSatisfy { command.matrix[$0].isFinite }, sourceLocation: location)
    }
  }

  func commands(of layer: String) -> [Command] { commands.filter { $0.layer == layer } }
}

extension Frame.Command {
  var vertexLayout: Frame.Layout {
    switch kind {
    case .background, .fill, .fillOutline, .unsupported: .fill
    case .line: .line
    case .circle: .circle
    case .icon, .text: .symbol
    case .extrusion: .extrusion
    case .raster, .heatmap, .hillshade, .colorRelief: .picture
    case .custom, .customSolid: .custom
    }
  }

  /// The command's indices, counted from its first vertex.
  var indexNumbers: [Int] {
    guard let indices else { return [] }
    if indices.layout == .index32 {
      return indices.withElements(as: UInt32.self) { $0[indexRange].map(Int.init) }
    }
    return indices.withElements(as: UInt16.self) { $0[indexRange].map(Int.init) }
  }

  /// The command's vertices.
  func elements<T: BitwiseCopyable>(_ type: T.Type) -> [T] {
    vertices?.withElements(as: T.self) { Array($0[vertexRange]) } ?? []
  }

  func paints<T: BitwiseCopyable>(_ type: T.Type) -> [T] {
    paint?.withElements(as: T.self) { Array($0[vertexRange]) } ?? []
  }

  /// Where a place goes, in device pixels of a view.
  func pixel(_ x: Float, _ y: Float, width: Int, height: Int) -> SIMD2<Float> {
    let m = matrix
    func row(_ r: Int) -> Float { m[r] * x + m[4 + r] * y + m[12 + r] }
    return SIMD2((row(0) / row(3) + 1) / 2 * Float(width), (1 - row(1) / row(3)) / 2 * Float(height))
  }
}
