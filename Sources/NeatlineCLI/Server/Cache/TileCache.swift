/// Answers by address, in memory up to a number of bytes, the least recently used going first. Any thread.
///
/// An entry belongs to a style of a time: after a reload or a purge it is old, and given out as such, until it
/// is drawn anew.
final class TileCache: @unchecked Sendable {  // everything that changes is under `lock`
  struct Key: Hashable, Sendable {
    /// `styles/ID` or `data/ID`.
    var owner: String
    /// The rest of the address, with all that changes the answer.
    var path: String
    /// The tile; zoom -1: no tile.
    var z = -1
    var x = 0
    var y = 0
  }

  enum Found {
    case fresh(HTTPAnswer)
    case stale(HTTPAnswer)
    case none
  }

  private final class Entry {
    let key: Key
    var answer: HTTPAnswer
    var isStale = false
    var bytes: Int
    var expires: Int
    var previous: Entry?
    var next: Entry?

    init(_ key: Key, _ answer: HTTPAnswer, expires: Int) {
      (self.key, self.answer, self.expires) = (key, answer, expires)
      // What the tables and the headers take besides.
      bytes = answer.body.count + key.path.utf8.count + 400
    }
  }

  struct Figures: Sendable {
    var entries = 0
    var bytes = 0
    var hits = 0
    var staleHits = 0
    var misses = 0
    var evictions = 0
    var diskHits = 0
    var diskBytes = 0
    var diskFaults = 0
  }

  private let lock = Lock()
  private let limit: Int
  /// Milliseconds after which an entry is old; nil: never.
  private let lifetime: Int?
  private let disk: DiskCache?
  private var entries: [Key: Entry] = [:]
  private var first: Entry?
  private var last: Entry?
  private var figures = Figures()
  /// Of answers that were begun: what was begun before a purge is old when it comes.
  private var era = 0

  init(bytes: Int, lifetime: Int? = nil, disk: DiskCache? = nil) {
    (limit, self.lifetime, self.disk) = (bytes, lifetime, disk)
  }

  var isEnabled: Bool { limit > 0 || disk != nil }
  var currentEra: Int { lock.locked { era } }

  var state: Figures {
    var result = lock.locked { figures }
    if let disk { (result.diskHits, result.diskBytes, result.diskFaults) = disk.figures }
    return result
  }

  /// In memory.
  func find(_ key: Key) -> Found {
    lock.locked {
      guard let entry = entries[key] else {
        figures.misses += 1
        return .none
      }
      unlink(entry)
      linkFirst(entry)
      if entry.isStale || entry.expires <= Platform.milliseconds {
        figures.staleHits += 1
        return .stale(entry.answer)
      }
      figures.hits += 1
      return .fresh(entry.answer)
    }
  }

  /// On disk; reads a file.
  func findOnDisk(_ key: Key) -> HTTPAnswer? {
    guard let disk, let answer = disk.read(key) else { return nil }
    keep(answer, for: key)
    return answer
  }

  /// Keeps an answer that was begun in an era.
  func store(_ answer: HTTPAnswer, for key: Key, era: Int) {
    guard answer.status == 200 || answer.status == 204,
      !answer.headers.contains(where: { $0.name == "Cache-Control" && $0.value == "no-store" })
    else { return }
    guard currentEra == era else { return }
    keep(answer, for: key)
    disk?.write(answer, key)
  }

  private func keep(_ answer: HTTPAnswer, for key: Key) {
    guard limit > 0 else { return }
    lock.locked {
      if let old = entries[key] { remove(old) }
      let expires = lifetime.map { Platform.milliseconds + $0 } ?? .max
      let entry = Entry(key, answer, expires: expires)
      guard entry.bytes <= limit / 4 else { return }
      entries[key] = entry
      linkFirst(entry)
      figures.bytes += entry.bytes
      while figures.bytes > limit, let oldest = last {
        remove(oldest)
        figures.evictions += 1
      }
      figures.entries = entries.count
    }
  }

  /// Makes old what is of an owner (nil: all), within zooms and a box of degrees. `drops`: it is gone at once
  /// rather than given out until it is drawn anew. Returns how many there were in memory.
  @discardableResult
  func purge(owner: String?, zooms: ClosedRange<Int>? = nil, within: TileBox? = nil, drops: Bool = false)
    -> Int
  {
    let count = lock.locked { () -> Int in
      era += 1
      var count = 0
      for entry in Array(entries.values) {
        let key = entry.key
        guard owner == nil || key.owner == owner else { continue }
        if zooms != nil || within != nil {
          guard key.z >= 0, zooms?.contains(key.z) ?? true, within?.meets(key.z, key.x, key.y) ?? true else {
            continue
          }
        }
        count += 1
        if drops { remove(entry) } else { entry.isStale = true }
      }
      figures.entries = entries.count
      return count
    }
    disk?.purge(owner: owner, zooms: zooms, within: within)
    return count
  }

  // MARK: The list, most recently used first. Under the lock.

  private func remove(_ entry: Entry) {
    unlink(entry)
    entries[entry.key] = nil
    figures.bytes -= entry.bytes
    figures.entries = entries.count
  }

  private func unlink(_ entry: Entry) {
    entry.previous?.next = entry.next
    entry.next?.previous = entry.previous
    if first === entry { first = entry.next }
    if last === entry { last = entry.previous }
    (entry.previous, entry.next) = (nil, nil)
  }

  private func linkFirst(_ entry: Entry) {
    entry.next = first
    first?.previous = entry
    first = entry
    if last == nil { last = entry }
  }
}

/// A box of degrees, and the tiles that meet it.
struct TileBox: Sendable {
  var west: Double
  var south: Double
  var east: Double
  var north: Double

  /// `west,south,east,north`; west above east: across the 180th meridian.
  init?(_ text: String) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 4, let west = numbers[0], let south = numbers[1], let east = numbers[2],
      let north = numbers[3], abs(west) <= 180, abs(east) <= 180, abs(south) <= 90, abs(north) <= 90,
      south <= north
    else { return nil }
    (self.west, self.south, self.east, self.north) = (west, south, east, north)
  }

  func meets(_ z: Int, _ x: Int, _ y: Int) -> Bool {
    let count = Double(1 << min(max(z, 0), 30))
    let left = Double(x) / count * 360 - 180
    let right = Double(x + 1) / count * 360 - 180
    guard TileBox.latitude(Double(y + 1) / count) <= north, TileBox.latitude(Double(y) / count) >= south
    else {
      return false
    }
    return west <= east ? left <= east && right >= west : left <= east || right >= west
  }

  /// Of a place in the Mercator square, 0 at the top.
  private static func latitude(_ y: Double) -> Double {
    Platform.gudermannian(.pi * (1 - 2 * y)) * 180 / .pi
  }
}
