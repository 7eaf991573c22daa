// Glyphs and icons side by side in a few large pictures, so that a layer's labels are one draw call. Pages
// are filled shelf by shelf and handed to frames as they are: a page that a frame has is copied before more
// is put into it, and the copy has a number of its own.
import NeatBase

/// What stands on a page.
enum AtlasKey: Hashable {
  /// A glyph's handle in its store.
  case glyph(Int32)
  /// An image's number in the library.
  case image(Int32)
}

/// Where its first texel is.
struct AtlasPlace {
  var page: Int
  var x: Int
  var y: Int
}

/// A page of one of the two atlases.
struct AtlasPage: Hashable {
  var isField: Bool
  var number: Int
}

struct SymbolAtlas {
  /// Texels along an edge of a page.
  static let edge = 1024
  /// Empty texels around each entry: linear sampling a texel outside of one must not meet another.
  static let gap = 2
  /// Bytes of pages after which it begins anew with the next frame.
  static let byteLimit = 16 << 20

  private struct Page {
    var texture: MeshTexture
    /// Whether a frame has it.
    var isShared = false
    var shelfX = SymbolAtlas.gap
    var shelfY = SymbolAtlas.gap
    var shelfHeight = 0
  }

  let format: MeshTexture.Format
  /// What pages are taken from; nil: they are not counted.
  private let memory: MemoryBudget?
  private var pages: [Page] = []
  private var places: [AtlasKey: AtlasPlace] = [:]

  init(_ format: MeshTexture.Format, _ memory: MemoryBudget? = nil) {
    (self.format, self.memory) = (format, memory)
  }

  var isFull: Bool { pages.reduce(0) { $0 + $1.texture.byteCount } > SymbolAtlas.byteLimit }

  func size(_ page: Int) -> (width: Int, height: Int) {
    (pages[page].texture.width, pages[page].texture.height)
  }

  /// The place of an entry of `width` by `height` texels; `pixels` are its rows, copied when it is met first. Throws
  /// `outOfMemory` where there is no room for another page.
  mutating func place(_ key: AtlasKey, width: Int, height: Int, pixels: UnsafeRawPointer) throws(NeatError)
    -> AtlasPlace
  {
    if let known = places[key] { return known }
    let place = try room(width, height)
    try write(place, width, height, pixels)
    places[key] = place
    return place
  }

  /// The page as it stands, for a frame to keep.
  mutating func share(_ page: Int) -> MeshTexture {
    pages[page].isShared = true
    return pages[page].texture
  }

  /// A page of texels that are still to be written.
  private func page(_ width: Int, _ height: Int, _ fill: (UnsafeMutableRawPointer) -> Void)
    throws(NeatError) -> MeshTexture
  {
    let hold = try memory?.take(
      width * height * format.bytesPerTexel, for: "a page of symbols of \(width)x\(height) texels")
    return MeshTexture(format, width: width, height: height, hold, fill)
  }

  private mutating func room(_ width: Int, _ height: Int) throws(NeatError) -> AtlasPlace {
    let gap = SymbolAtlas.gap
    if let index = pages.indices.last {
      var page = pages[index]
      if page.shelfX + width + gap > page.texture.width {
        page.shelfX = gap
        page.shelfY += page.shelfHeight + gap
        page.shelfHeight = 0
      }
      if page.shelfX + width + gap <= page.texture.width, page.shelfY + height + gap <= page.texture.height {
        let place = AtlasPlace(page: index, x: page.shelfX, y: page.shelfY)
        page.shelfX += width + gap
        page.shelfHeight = max(page.shelfHeight, height)
        pages[index] = page
        return place
      }
    }
    let (pageWidth, pageHeight) = (
      max(SymbolAtlas.edge, width + 2 * gap), max(SymbolAtlas.edge, height + 2 * gap)
    )
    let texture = try page(pageWidth, pageHeight) {
      $0.initializeMemory(as: UInt8.self, repeating: 0, count: pageWidth * pageHeight * format.bytesPerTexel)
    }
    var page = Page(texture: texture)
    page.shelfX = gap + width + gap
    page.shelfHeight = height
    pages.append(page)
    return AtlasPlace(page: pages.count - 1, x: gap, y: gap)
  }

  private mutating func write(
    _ place: AtlasPlace, _ width: Int, _ height: Int, _ pixels: UnsafeRawPointer
  ) throws(NeatError) {
    if pages[place.page].isShared {
      let old = pages[place.page].texture
      pages[place.page].texture = try page(old.width, old.height) {
        $0.copyMemory(from: old.pixels, byteCount: old.byteCount)
      }
      pages[place.page].isShared = false
    }
    let texture = pages[place.page].texture
    let texel = format.bytesPerTexel
    // Nobody but the atlas has a page that is not shared.
    let out = UnsafeMutableRawPointer(mutating: texture.pixels) + (place.y * texture.width + place.x) * texel
    for row in 0..<height {
      (out + row * texture.width * texel).copyMemory(
        from: pixels + row * width * texel, byteCount: width * texel)
    }
  }
}
