/// How a database is kept. The defaults are those of MapLibre Native, where it has any.
package struct DatabaseOptions: Sendable {
  /// What is stored and needed by no region, in bytes of `DatabaseTable.size`; 0: nothing is.
  package var maximumAmbientBytes: Int64 = 50 << 20
  /// How long a call waits for what other processes have locked.
  package var busyTimeoutMS = 5000
  /// Bytes of a body, unpacked, at most.
  package var maximumBodyBytes = 64 << 20
  /// 1 (quick) to 12 (small), as libdeflate counts.
  package var packingLevel: Int32 = 1
  /// Whether deleting gives room back to the disk.
  package var packsAutomatically = true
  /// Whether the file is only read, also where it could be written.
  package var isReadOnly = false
  /// Providers that let only so many tiles be kept for use without a network, by how the templates of their
  /// tiles begin.
  package var limitedTemplates: [String] = []
  /// Tiles of such providers that all regions together may have.
  package var limitedTileCount: Int64 = 6000

  /// Bytes of a key's address and of an etag at most.
  package static let maximumTextBytes = 64 << 10
  /// Bytes of a region's metadata at most.
  package static let maximumMetadataBytes = 16 << 20
  /// Bytes of a region's definition at most.
  package static let maximumDefinitionBytes = 16 << 20

  package init() {}
}

/// What a database was asked since it was opened.
package struct DatabaseStatistics: Sendable, Equatable {
  package var hits: UInt64 = 0
  package var misses: UInt64 = 0
  /// Bodies and empty answers that were written.
  package var stored: UInt64 = 0
  /// Entries whose times alone were renewed.
  package var revalidated: UInt64 = 0
  package var evicted: UInt64 = 0
  /// Entries that could not be unpacked, and were taken out.
  package var damaged: UInt64 = 0
  /// Bytes of bodies, unpacked.
  package var bytesRead: UInt64 = 0
  /// Bytes of bodies as they are stored.
  package var bytesWritten: UInt64 = 0
}
