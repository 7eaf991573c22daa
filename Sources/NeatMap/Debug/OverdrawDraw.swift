import NeatBase
import NeatRaster

/// A step of drawing as the overdraw view shows it: each pixel that it touches gets an eighth brighter.
package struct OverdrawDraw: Sendable {
  let commands: [DrawCommand]

  /// An eighth of white.
  private static let step: UInt32 = 32

  func draw(_ worker: BandWorker) {
    for command in commands {
      worker.drawApart { worker in
        command.draw(worker)
      } over: { target, layer, count in
        for column in 0..<count where layer[column] != 0 {
          let level = min(target[column] & 255 + OverdrawDraw.step, 255)
          target[column] = 0xFF00_0000 | level << 16 | level << 8 | level
        }
      }
    }
  }
}

extension Frame {
  /// Commands that show how often they touch each pixel, over black; what debug views add stays as it is.
  func counting(_ commands: [DrawCommand]) -> [DrawCommand] {
    var result: [DrawCommand] = [.background(Premultiplied(bits: 0xFF00_0000))]
    for command in commands {
      switch command {
      case .debug, .custom: result.append(command)
      // Counted with its fill.
      case .fillEdge: break
      case .apart(let layer): result.append(.overdraw(OverdrawDraw(commands: layer.commands)))
      default: result.append(.overdraw(OverdrawDraw(commands: [command])))
      }
    }
    return result
  }
}
