import CNeatline

/// What a resource is for.
public enum ResourceKind: UInt32, Hashable, Sendable, CaseIterable {
  /// Anything else.
  case unknown
  /// A style.
  case style
  /// The metadata of a source (TileJSON).
  case source
  /// A tile of a source.
  case tile
  /// A range of glyphs.
  case glyphs
  /// The picture of a sprite.
  case spriteImage
  /// The index of a sprite.
  case spriteJSON
  /// An image of an image source.
  case image
  /// GeoJSON.
  case geojson
  /// A font file.
  case font
}

/// A resource that is about to be asked for. What is kept, and what errors and events say, goes by the address
/// that came in, so that credentials which a transform adds are in none of them.
public struct TransformedResource: Hashable, Sendable {
  /// What it is for.
  public let kind: ResourceKind
  /// Where it is asked for: an address of any kind that a style may name.
  public var url: String
  /// Further headers, in place of those of the same name in `Resources.Options`; to servers alone.
  public var headers: [String: String] = [:]
}

/// Changes where a resource is asked for and how. What it throws has the resource not asked for: it fails with
/// `unsupported` and the error's words.
public typealias ResourceTransform = @Sendable (_ resource: inout TransformedResource) throws -> Void

/// A transform behind the engine's pointer.
final class TransformBox: Sendable {
  private let transform: ResourceTransform

  init(_ transform: @escaping ResourceTransform) { self.transform = transform }

  func apply(_ kind: neat_resource_kind, _ url: String, to target: OpaquePointer) {
    var resource = TransformedResource(kind: ResourceKind(rawValue: kind.rawValue) ?? .unknown, url: url)
    do {
      try transform(&resource)
      if resource.url != url { try check(resource.url.withText { neat_transform_set_url(target, $0, $1) }) }
      for (name, value) in resource.headers.sorted(by: { $0.key < $1.key }) {
        try check(
          name.withText { name, size in
            value.withText { neat_transform_add_header(target, name, size, $0, $1) }
          })
      }
    } catch {
      "\(error)".withText { _ = neat_transform_refuse(target, $0, $1) }
    }
  }
}
