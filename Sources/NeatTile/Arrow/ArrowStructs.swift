/// `struct ArrowSchema` of Arrow's C data interface, as it lies in memory: what a column, or a batch of them,
/// holds. In Swift, so that this target needs no header; a test holds the layout against the one in
/// `neatline.h`.
package struct ArrowSchemaC: BitwiseCopyable {
  package var format: UnsafePointer<CChar>?
  package var name: UnsafePointer<CChar>?
  package var metadata: UnsafePointer<CChar>?
  package var flags: Int64 = 0
  package var childCount: Int64 = 0
  package var children: UnsafeMutablePointer<UnsafeMutablePointer<ArrowSchemaC>?>?
  package var dictionary: UnsafeMutablePointer<ArrowSchemaC>?
  /// Never called from here: what is read is borrowed. NULL marks a structure that was released.
  package var release: UnsafeRawPointer?
  package var privateData: UnsafeRawPointer?

  package init() {}
}

/// `struct ArrowArray`: the values of a column, or of a batch of them.
package struct ArrowArrayC: BitwiseCopyable {
  package var length: Int64 = 0
  package var nullCount: Int64 = 0
  package var offset: Int64 = 0
  package var bufferCount: Int64 = 0
  package var childCount: Int64 = 0
  package var buffers: UnsafeMutablePointer<UnsafeRawPointer?>?
  package var children: UnsafeMutablePointer<UnsafeMutablePointer<ArrowArrayC>?>?
  package var dictionary: UnsafeMutablePointer<ArrowArrayC>?
  /// As in the schema.
  package var release: UnsafeRawPointer?
  package var privateData: UnsafeRawPointer?

  package init() {}
}

/// Bounds of a batch, beside those of `GeoJSONLimits`. The interface tells neither how many bytes a buffer
/// has nor whether a pointer is good: a caller whose structures are wrong there is not protected.
enum ArrowLimits {
  /// Nesting of types.
  static let maxDepth = 64
  /// Columns, members of a struct, and entries of a field's metadata.
  static let maxFields = 1 << 16
  /// Bytes of a name, a format or a metadata entry.
  static let maxName = 1 << 24
  /// Where an array may begin and how long it may be, so that sums do not overflow.
  static let maxLength: Int64 = 1 << 48
}
