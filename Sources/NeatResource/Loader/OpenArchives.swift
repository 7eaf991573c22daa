import NeatStore

/// Archives of one kind that are open, by path: each with what its file was when it was opened. One value,
/// so that nobody reads one file by another one's directory.
struct OpenFiles<Archive: Sendable>: Sendable {
  private var files: [String: (archive: Archive, identity: FileIdentity)] = [:]

  subscript(path: String) -> Archive? { files[path]?.archive }

  /// Keeps an archive, unless there is one; the one that is kept. Past the limit all others are closed.
  mutating func keep(_ archive: Archive, _ identity: FileIdentity, at path: String, limit: Int) -> Archive {
    if let known = files[path] { return known.archive }
    if files.count >= limit { files.removeAll() }
    files[path] = (archive, identity)
    return archive
  }

  /// Closes the archives whose files are others by now; their paths.
  mutating func takeReplaced(where isOther: (FileIdentity, FileIdentity) -> Bool) -> [String] {
    let replaced = files.filter { isOther($0.value.identity, FileIdentity($0.key)) }.keys
    for path in replaced { files[path] = nil }
    return Array(replaced)
  }
}

/// The archives that a loader has open.
struct OpenArchives: Sendable {
  var mbtiles = OpenFiles<MBTiles>()
  var pmtiles = OpenFiles<(FileReader, PMTilesArchive)>()
  /// On servers, by address.
  var remote: [String: PMTilesArchive] = [:]

  /// Closes what was replaced; the addresses, sorted.
  mutating func takeReplaced() -> [String] {
    // SQLite's files change while they are written to, and stay the same files.
    let changed =
      mbtiles.takeReplaced { !$0.isSameFile(as: $1) }.map { "mbtiles://" + $0 }
      + pmtiles.takeReplaced { $0 != $1 }.map { "pmtiles://" + $0 }
      + remote.values.filter { $0.takeChange() }.map { "pmtiles://" + $0.location }
    return changed.sorted()
  }
}
