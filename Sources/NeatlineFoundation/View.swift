import Foundation
import Neatline

extension MapView {
  /// A map of the size of a frame, in logical pixels, rounded; where the frame is makes no difference. Else as
  /// `init(width:height:mapInitOptions:loop:)`.
  public convenience init(
    frame: CGRect, mapInitOptions: MapInitOptions = MapInitOptions(), loop: EventLoop? = nil
  ) throws(NeatlineError) {
    try self.init(
      width: pixels(frame.width), height: pixels(frame.height), mapInitOptions: mapInitOptions, loop: loop)
  }

  /// The size, from (0, 0) on. Setting one that no picture has changes nothing: `setSize` says why.
  public var frame: CGRect {
    get { CGRect(x: 0, y: 0, width: size.width, height: size.height) }
    set { try? setSize(width: pixels(newValue.width), height: pixels(newValue.height)) }
  }

  /// `frame`.
  public var bounds: CGRect {
    get { frame }
    set { frame = newValue }
  }
}

extension MapSnapshotOptions {
  /// A picture of a size in logical pixels, rounded, with the application's resources.
  public init(
    size: CGSize, pixelRatio: CGFloat = 1, glyphsRasterizationOptions: GlyphsRasterizationOptions? = nil,
    resourceOptions: ResourceOptions = ResourceOptionsManager.default.resourceOptions,
    ornaments: OrnamentOptions = .hidden, engineOptions: Options = Options()
  ) {
    self.init(
      width: pixels(size.width), height: pixels(size.height), pixelRatio: Double(pixelRatio),
      glyphsRasterizationOptions: glyphsRasterizationOptions, resourceOptions: resourceOptions,
      ornaments: ornaments, engineOptions: engineOptions)
  }
}

/// Whole pixels; 0, which is refused, for what is no size.
private func pixels(_ length: CGFloat) -> Int {
  let rounded = Double(length).rounded()
  return rounded >= 0 && rounded <= 1e9 ? Int(rounded) : 0
}

extension ResourceOptions {
  /// The server that `mapbox://` addresses are asked of; nil: `https://api.mapbox.com`.
  public var baseURL: URL? {
    get { base.flatMap { URL(string: $0) } }
    set { base = newValue?.absoluteString }
  }

  /// `dataPath` as a file's address.
  public var dataPathURL: URL? {
    get { dataPath.map { URL(filePath: $0) } }
    set { dataPath = newValue?.path(percentEncoded: false) }
  }

  /// `assetPath` as a file's address.
  public var assetPathURL: URL? {
    get { assetPath.map { URL(filePath: $0) } }
    set { assetPath = newValue?.path(percentEncoded: false) }
  }

  /// No cache, but for what is said.
  public init(
    accessToken: String, baseURL: URL?, dataPathURL: URL? = nil, assetPathURL: URL? = nil,
    tileStore: TileStore? = nil, tileStoreUsageMode: TileStoreUsageMode = .readOnly
  ) {
    self.init(
      accessToken: accessToken, baseURL: baseURL?.absoluteString,
      dataPath: dataPathURL?.path(percentEncoded: false),
      assetPath: assetPathURL?.path(percentEncoded: false), tileStore: tileStore,
      tileStoreUsageMode: tileStoreUsageMode)
  }
}

extension StyleURI {
  /// The style at an address.
  public init(url: URL) { self.init(rawValue: url.engineAddress) }
}
