import NeatBase
import NeatCamera
import NeatRaster
import NeatText

/// A compass with its north at the top: a dark disc with ticks, a red needle and an N.
enum CompassRose {
  /// Logical pixels.
  static let edge = 40.0

  /// - Parameter edge: texels.
  static func texture(edge: Int) -> Texture {
    OrnamentCanvas.texture(width: edge, height: edge, scale: Double(edge) / CompassRose.edge) { canvas in
      let middle = SIMD2(20.0, 20.0)
      canvas.disc(.ornament(255, 255, 255, opacity: 0.85), middle, radius: 19.5)
      canvas.disc(.ornament(24, 26, 28), middle, radius: 18.5)
      for tick in 0..<16 {
        let angle = Double(tick) * .pi / 8
        let way = SIMD2(sin(angle), -cos(angle))
        let isMain = tick % 4 == 0
        canvas.stroke(
          .ornament(255, 255, 255, opacity: isMain ? 1 : 0.85), middle + way * (isMain ? 13 : 14.2),
          middle + way * 16.4, width: isMain ? 1.4 : 0.9)
      }
      canvas.triangle(
        .ornament(240, 62, 50), SIMD2(20, 8.8), SIMD2(24.3, 18.4), SIMD2(15.7, 18.4))
      let white = Premultiplied.ornament(255, 255, 255)
      canvas.stroke(white, SIMD2(17.3, 28.6), SIMD2(17.3, 21.6), width: 1.3)
      canvas.stroke(white, SIMD2(22.7, 28.6), SIMD2(22.7, 21.6), width: 1.3)
      canvas.stroke(white, SIMD2(17.3, 21.6), SIMD2(22.7, 28.6), width: 1.3)
    }
  }
}

/// The attribution in a box of its own, in as many lines as the map's width asks for.
struct AttributionBox {
  private static let fontSize = 11.0
  private static let padding = SIMD2(5.0, 2.0)

  private let text: OrnamentText
  private let pixelRatio: Double
  /// Texels.
  private let size: (width: Int, height: Int)

  init?(_ words: OrnamentWords, _ place: OrnamentPlace, _ size: ViewSize, _ glyphs: GlyphStore) {
    let room = Double(size.width) - 2 * place.margins.x - 2 * AttributionBox.padding.x
    guard
      let text = OrnamentText(
        words.attribution, size: AttributionBox.fontSize, words.stack, glyphs,
        maxWidth: max(room, 2 * AttributionBox.fontSize), justify: place.position.isLeft ? .left : .right)
    else { return nil }
    self.text = text
    pixelRatio = size.pixelRatio
    let pixels = (text.size + 2 * AttributionBox.padding) * pixelRatio
    // What is larger than the map is cut anyhow.
    self.size = (
      max(1, min(size.deviceWidth, Int(saturating: pixels.x.rounded(.up)))),
      max(1, min(size.deviceHeight, Int(saturating: pixels.y.rounded(.up))))
    )
  }

  func texture(_ scratch: RasterScratch) -> Texture {
    OrnamentCanvas.texture(width: size.width, height: size.height, scale: pixelRatio) { canvas in
      let edges = SIMD2(Double(size.width), Double(size.height)) / pixelRatio
      canvas.box(
        .ornament(255, 255, 255, opacity: 0.8), SIMD4(0, 0, edges.x, edges.y), radius: 3)
      text.draw(on: canvas, at: AttributionBox.padding, .ornament(51, 51, 51), scratch)
    }
  }
}

/// An i in a ring: that there is an attribution.
enum AttributionButton {
  /// Logical pixels.
  static let edge = 24.0

  /// - Parameter edge: texels.
  static func texture(edge: Int) -> Texture {
    OrnamentCanvas.texture(width: edge, height: edge, scale: Double(edge) / AttributionButton.edge) {
      canvas in
      let middle = SIMD2(12.0, 12.0)
      let ink = Premultiplied.ornament(51, 51, 51)
      canvas.disc(.ornament(255, 255, 255, opacity: 0.8), middle, radius: 11.5)
      canvas.ring(ink, middle, radius: 8.5, width: 1.5)
      canvas.disc(ink, SIMD2(12, 8.1), radius: 1.1)
      canvas.stroke(ink, SIMD2(12, 11.4), SIMD2(12, 15.6), width: 1.8)
    }
  }
}

/// A scale bar: bars in turn dark and light within a dark frame and a light outline, and above where they
/// begin and end how far that is. Of texts that would run into each other the last stays, and what has room
/// beside it.
struct ScaleBarDrawing {
  static let fontSize = 10.0
  private static let haloWidth = 1.5
  private static let barHeight = 5.0
  /// Logical pixels between two texts at least.
  private static let textGap = 4.0

  private let pixelRatio: Double
  /// Texels where the bars begin and end, from the texture's left edge.
  private let edges: [Int]
  private let texts: [(text: OrnamentText, centre: Int)]
  private let outline: Int
  private let barTexels: Int
  private let textTexels: Int
  private let width: Int

  /// - Parameters:
  ///   - width: device pixels of all bars.
  ///   - texts: of the bar's labels; nil for what cannot be drawn.
  init(_ bar: ScaleBar, width: Int, pixelRatio: Double, _ texts: [OrnamentText?]) {
    self.pixelRatio = pixelRatio
    let outline = max(1, Int(saturating: pixelRatio.rounded()))
    self.outline = outline
    barTexels = max(2 * outline + 1, Int(saturating: (ScaleBarDrawing.barHeight * pixelRatio).rounded()))
    func half(_ text: OrnamentText?) -> Int {
      guard let text else { return 0 }
      return Int(saturating: ((text.size.x / 2 + ScaleBarDrawing.haloWidth) * pixelRatio).rounded(.up))
    }
    let left = max(outline, half(texts.first ?? nil))
    let right = max(outline, half(texts.last ?? nil))
    let starts = (0...bar.bars).map { part in
      left + Int(saturating: (Double(part * width) / Double(bar.bars)).rounded())
    }
    edges = starts
    self.width = left + width + right
    let gap = Int(saturating: ScaleBarDrawing.textGap * pixelRatio)
    var placed: [(text: OrnamentText, centre: Int, from: Int, to: Int)] = []
    for index in [texts.count - 1] + Array(0..<max(0, texts.count - 1)) {
      guard starts.indices.contains(index), let text = texts[index] else { continue }
      let (from, to) = (starts[index] - half(text), starts[index] + half(text))
      guard placed.allSatisfy({ to + gap <= $0.from || $0.to + gap <= from }) else { continue }
      placed.append((text, starts[index], from, to))
    }
    self.texts = placed.map { ($0.text, $0.centre) }
    let height = placed.map(\.text.size.y).max() ?? 0
    textTexels = Int(saturating: (height * pixelRatio).rounded(.up))
  }

  func texture(_ scratch: RasterScratch) -> Texture {
    let top = textTexels + outline
    return OrnamentCanvas.texture(
      width: width, height: top + barTexels + outline, scale: pixelRatio
    ) { canvas in
      let (dark, light) = (Premultiplied.ornament(20, 22, 24), Premultiplied.ornament(250, 250, 250))
      let (first, last) = (edges[0], edges[edges.count - 1])
      canvas.fill(
        light, columns: (first - outline)..<(last + outline),
        rows: (top - outline)..<(top + barTexels + outline))
      canvas.fill(dark, columns: first..<last, rows: top..<(top + barTexels))
      for bar in stride(from: 1, to: edges.count - 1, by: 2) {
        let end = edges[bar + 1] - (bar + 2 == edges.count ? outline : 0)
        canvas.fill(
          light, columns: edges[bar]..<max(edges[bar], end),
          rows: (top + outline)..<(top + barTexels - outline))
      }
      for (text, centre) in texts {
        let x = (Double(centre) - text.size.x * pixelRatio / 2).rounded() / pixelRatio
        text.draw(
          on: canvas, at: SIMD2(x, 0), dark, halo: light, haloWidth: ScaleBarDrawing.haloWidth, scratch)
      }
    }
  }
}
