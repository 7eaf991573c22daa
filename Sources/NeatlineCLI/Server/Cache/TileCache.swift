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

  /// On disk, where it is not too old; reads a file.
  func findOnDisk(_ key: Key) -> HTTPAnswer? {
    let era = currentEra
    guard let disk, let (answer, age) = disk.read(key), age < lifetime ?? .max,
      keep(answer, for: key, age: age, era: era)
    else { return nil }
    disk.noteHit()
    return answer
  }

  /// Keeps an answer that was begun in an era.
  func store(_ answer: HTTPAnswer, for key: Key, era: Int) {
    guard answer.status == 200 || answer.status == 204,
      !answer.headers.contains(where: { $0.name == "Cache-Control" && $0.value == "no-store" })
    else { return }
    guard keep(answer, for: key, age: 0, era: era), let disk else { return }
    disk.write(answer, key)
    // A purge that came meanwhile may have been past this file already.
    if currentEra != era { disk.remove(key) }
  }

  /// Returns whether the answer is of this era.
  private func keep(_ answer: HTTPAnswer, for key: Key, age: Int, era: Int) -> Bool {
    lock.locked {
      guard self.era == era else { return false }
      guard limit > 0 else { return true }
      if let old = entries[key] { remove(old) }
      let expires = lifetime.map { Platform.milliseconds + $0 - age } ?? .max
      let entry = Entry(key, answer, expires: expires)
      guard entry.bytes <= limit / 4 else { return true }
      entries[key] = entry
      linkFirst(entry)
      figures.bytes += entry.bytes
      while figures.bytes > limit, let oldest = last {
        remove(oldest)
        figures.evictions += 1
      }
      figures.entries = entries.count
      return true
    }
  }

  /// Makes answers old, and drops them from the disk. Returns how many there were.
  @discardableResult
  func purge(_ what: Purge) -> (memory: Int, disk: Int) {
    func sweep() -> Int {
      lock.locked {
        era += 1
        let found = entries.values.filter { what.covers($0.key) }
        for entry in found {
          if what.drops { remove(entry) } else { entry.isStale = true }
        }
        return found.count
      }
    }
    let count = sweep()
    guard let disk else { return (count, 0) }
    let dropped = disk.purge(what.covers)
    // What was read from the disk while it was gone through is old too.
    _ = sweep()
    return (count, dropped)
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
