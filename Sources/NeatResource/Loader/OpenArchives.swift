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
  private(set) var replaced = ReplacedArchives()

  /// Closes what was replaced.
  mutating func findReplaced() {
    // SQLite's files change while they are written to, and stay the same files.
    let changed =
      mbtiles.takeReplaced { !$0.isSameFile(as: $1) }.map { "mbtiles://" + $0 }
      + pmtiles.takeReplaced { $0 != $1 }.map { "pmtiles://" + $0 }
      + remote.values.filter { $0.takeChange() }.map { "pmtiles://" + $0.location }
    replaced.add(changed.sorted())
  }
}

/// Addresses of archives that turned out to be others, each with when that was last seen.
struct ReplacedArchives: Sendable {
  private var numbers: [String: UInt64] = [:]
  private(set) var count: UInt64 = 0

  mutating func add(_ addresses: [String]) {
    for address in addresses {
      count += 1
      numbers[address] = count
    }
  }

  /// Those seen after the first `number`, sorted.
  func take(since number: inout UInt64) -> [String] {
    guard number < count else { return [] }
    defer { number = count }
    let since = number
    return numbers.filter { $0.value > since }.keys.sorted()
  }
}
