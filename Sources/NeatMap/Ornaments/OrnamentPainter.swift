import NeatBase
import NeatCamera
import NeatRaster
import NeatText

/// Draws the ornaments of one map. What is drawn is kept: a text is set once, and a camera that moves draws
/// the bars of the scale anew and nothing else. Belongs to whom the map belongs to.
package final class OrnamentPainter {
  private let glyphs: GlyphStore
  private let scratch = RasterScratch()
  private var compass: (key: CompassKey, texture: Texture)?
  private var logo: (key: LogoKey, texture: Texture)?
  private var attribution: (key: AttributionKey, texture: Texture?)?
  private var bar: (key: BarKey, texture: Texture)?
  private var labels: [String: OrnamentText?] = [:]
  /// Whose labels they are.
  private var labelWords: UInt64?
  /// Texts of a scale bar that are kept: all of one kind of units.
  private static let labelLimit = 256
  /// How many times a text has been set, for tests.
  package private(set) var shapedCount = 0

  package init(_ glyphs: GlyphStore) { self.glyphs = glyphs }

  /// The ornaments of a view, in the order in which they are drawn.
  /// - Parameters:
  ///   - words: nil where there is no style yet.
  ///   - compassOpacity: of an adaptive one.
  package func pictures(
    _ ornaments: Ornaments, _ words: OrnamentWords?, _ camera: Camera, _ size: ViewSize,
    compassOpacity: Double
  ) -> [OrnamentPicture] {
    var layout = OrnamentLayout(size)
    var result: [OrnamentPicture] = []
    result.reserveCapacity(OrnamentKind.allCases.count)
    for kind in OrnamentKind.order where ornaments.place(of: kind).visibility != .hidden {
      guard let made = made(kind, ornaments, words, camera, size) else { continue }
      guard
        let box = layout.add(
          ornaments.place(of: kind), width: made.width, height: made.height, isFirst: kind == .attribution)
      else { continue }
      var picture = OrnamentPicture(
        kind: kind, x: box.x0, y: box.y0, width: made.width, height: made.height, texture: made.texture)
      if kind == .compass {
        // Where it is hidden it keeps its place.
        picture.opacity = ornaments.compass.place.visibility == .visible ? 1 : compassOpacity
        picture.turn = -camera.heading
      }
      if picture.opacity > 0 { result.append(picture) }
    }
    return result
  }

  /// Device pixels of an ornament, and what it looks like.
  private struct Made {
    var width: Int
    var height: Int
    var texture: Texture

    init(_ texture: Texture) { self.init(texture, width: texture.width, height: texture.height) }

    init(_ texture: Texture, width: Int, height: Int) {
      (self.texture, self.width, self.height) = (texture, width, height)
    }
  }

  private func made(
    _ kind: OrnamentKind, _ ornaments: Ornaments, _ words: OrnamentWords?, _ camera: Camera, _ size: ViewSize
  ) -> Made? {
    switch kind {
    case .attribution: words.flatMap { attribution(ornaments.attribution, $0, size) }.map { Made($0) }
    case .logo: ornaments.logo.image.map { Made(logo($0, size.pixelRatio)) }
    case .scaleBar: scaleBar(ornaments.scaleBar, words, camera, size).map { Made($0) }
    case .compass: compass(ornaments.compass.image, size.pixelRatio)
    }
  }

  // MARK: Logo

  private struct LogoKey: Equatable {
    var image: OrnamentImage
    var pixelRatio: Double
  }

  /// At the size that it has, so that a texel is a pixel.
  private func logo(_ image: OrnamentImage, _ pixelRatio: Double) -> Texture {
    let key = LogoKey(image: image, pixelRatio: pixelRatio)
    if let logo, logo.key == key { return logo.texture }
    let size = OrnamentPainter.device(image.size, pixelRatio)
    let texture = image.texture.resampled(width: size.0, height: size.1)
    logo = (key, texture)
    return texture
  }

  private static func device(_ size: SIMD2<Double>, _ pixelRatio: Double) -> (Int, Int) {
    (
      max(1, Int(saturating: (size.x * pixelRatio).rounded())),
      max(1, Int(saturating: (size.y * pixelRatio).rounded()))
    )
  }

  // MARK: Compass

  private struct CompassKey: Equatable {
    var image: OrnamentImage?
    var pixelRatio: Double
  }

  /// Turned as it is drawn: its texels are half a pixel, so that its edges stay sharp.
  private func compass(_ image: OrnamentImage?, _ pixelRatio: Double) -> Made {
    let size = image?.size ?? SIMD2(CompassRose.edge, CompassRose.edge)
    let pixels = OrnamentPainter.device(size, pixelRatio)
    let key = CompassKey(image: image, pixelRatio: pixelRatio)
    if let compass, compass.key == key { return Made(compass.texture, width: pixels.0, height: pixels.1) }
    let texture: Texture
    if let image {
      let isLarge = image.texture.width > 2 * pixels.0 || image.texture.height > 2 * pixels.1
      texture = isLarge ? image.texture.resampled(width: 2 * pixels.0, height: 2 * pixels.1) : image.texture
    } else {
      texture = CompassRose.texture(edge: 2 * pixels.0)
    }
    compass = (key, texture)
    return Made(texture, width: pixels.0, height: pixels.1)
  }

  // MARK: Attribution

  private struct AttributionKey: Equatable {
    var words: UInt64
    var options: OrnamentAttribution
    var size: ViewSize
  }

  private func attribution(
    _ options: OrnamentAttribution, _ words: OrnamentWords, _ size: ViewSize
  ) -> Texture? {
    guard !words.attribution.isEmpty else { return nil }
    let key = AttributionKey(words: words.id, options: options, size: size)
    if let attribution, attribution.key == key { return attribution.texture }
    let texture: Texture?
    if options.isCompact {
      texture = AttributionButton.texture(
        edge: OrnamentPainter.device(SIMD2(repeating: AttributionButton.edge), size.pixelRatio).0)
    } else {
      shapedCount += 1
      texture = AttributionBox(words, options.place, size, glyphs)?.texture(scratch)
    }
    attribution = (key, texture)
    return texture
  }

  // MARK: Scale bar

  private struct BarKey: Equatable {
    var labels: [String]
    var width: Int
    var pixelRatio: Double
    var words: UInt64?
  }

  private func scaleBar(
    _ options: OrnamentScaleBar, _ words: OrnamentWords?, _ camera: Camera, _ size: ViewSize
  ) -> Texture? {
    guard
      let bar = ScaleBar(
        options.units, latitude: camera.center.lat, zoom: camera.zoom, mapWidth: Double(size.width),
        isAdaptive: options.place.visibility == .adaptive)
    else { return nil }
    let width = Int(saturating: bar.width * size.pixelRatio)
    if let known = self.bar, known.key.width == width, known.key.labels == bar.labels,
      known.key.pixelRatio == size.pixelRatio, known.key.words == words?.id
    {
      return known.texture
    }
    let key = BarKey(labels: bar.labels, width: width, pixelRatio: size.pixelRatio, words: words?.id)
    if labelWords != words?.id || labels.count > OrnamentPainter.labelLimit {
      labels.removeAll()
      labelWords = words?.id
    }
    let texts = bar.labels.map { text in words.flatMap { label(text, $0.stack) } }
    let texture = ScaleBarDrawing(bar, width: width, pixelRatio: size.pixelRatio, texts).texture(scratch)
    self.bar = (key, texture)
    return texture
  }

  /// A text of the bar, set once.
  private func label(_ text: String, _ stack: FontStackID) -> OrnamentText? {
    if let known = labels[text] { return known }
    shapedCount += 1
    let made = OrnamentText(text, size: ScaleBarDrawing.fontSize, stack, glyphs)
    labels[text] = .some(made)
    return made
  }
}
