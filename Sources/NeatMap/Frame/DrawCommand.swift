import NeatBase
import NeatRaster

/// One step of drawing a frame. Commands are made once a frame and replayed for every band, on any thread.
package enum DrawCommand: Sendable {
  case background(Premultiplied)
  case pattern(PatternPaint)
  case fill(FillDraw)
  case line(LineCommand)
  case circles(CircleDraw)
  case raster(RasterDraw)
  case symbols(SymbolDraw)

  func draw(_ band: Band, _ scratch: RasterScratch) {
    switch self {
    case .background(let color):
      for row in band.y0..<band.y1 { Blend.span(band.row(row), band.width, color) }
    case .pattern(let paint): paint.fill(band)
    case .fill(let fill): fill.draw(band, scratch)
    case .line(let line): line.draw(band)
    case .circles(let circles): circles.draw(band)
    case .raster(let raster): raster.draw(band)
    case .symbols(let symbols): symbols.draw(band)
    }
  }
}

/// What a picture consists of: commands in drawing order over a size. `draw` may run for several bands at the same time.
package struct Frame: Sendable {
  package let width: Int
  package let height: Int
  package let commands: [DrawCommand]

  /// Rows of a band; bands are drawn independently, so that the size does not matter to the pixels.
  static let bandHeight = 64

  package func rasterize(_ executor: Executor) throws(NeatError) -> Bitmap {
    let bitmap = try Bitmap(width: width, height: height)
    // More bands than threads even out what is dense and what is empty.
    let rows = executor.width == 1 ? height : min(Frame.bandHeight, max(16, height / executor.width))
    let count = (height + rows - 1) / rows
    executor.forEach(count) { number in
      let band = bitmap.band(number * rows, (number + 1) * rows)
      let scratch = RasterScratch()
      for command in commands { command.draw(band, scratch) }
    }
    return bitmap
  }
}
