import Neatline

/// Answers in files of a folder, up to a number of bytes; the oldest go first. What cannot be written is not
/// kept and counted, so that a full disk costs pictures their keeping and nothing else.
///
/// A file is `FOLDER/xx/yyyy…`, by a hash of the address; its first line is JSON with the whole address, which
/// is compared, and with the length and the tag of the body, so that a file that was cut or changed is no
/// answer. Files of other names are not ours: they are neither counted nor dropped.
final class DiskCache: @unchecked Sendable {  // everything that changes is under `lock`
  private let folder: String
  private let limit: Int
  private let lock = Lock()
  private var bytes = 0
  private var hits = 0
  private var faults = 0
  /// What the renderer and its style are told apart by: a file of another is none.
  private var marks: [String: String] = [:]
  private var isTrimming = false

  init(folder: String, limit: Int) throws {
    (self.folder, self.limit) = (folder, limit)
    try Platform.makeFolder(folder)
    bytes = files().reduce(0) { $0 + $1.size }
    trim()
  }

  var figures: (hits: Int, bytes: Int, faults: Int) { lock.locked { (hits, bytes, faults) } }

  /// What an owner draws from, as a text that changes with it.
  func mark(_ owner: String, _ mark: String) {
    // A line of the name of each answer.
    let line = mark.replacing("\n", with: " ")
    lock.locked { marks[owner] = line }
  }

  /// An answer, and how many milliseconds ago it was written.
  func read(_ key: TileCache.Key) -> (answer: HTTPAnswer, age: Int)? {
    let (name, path) = place(key)
    guard let data = try? Platform.readFile(path), let stamp = Platform.stamp(path),
      let line = data.firstIndex(of: 10), let head = try? JSONValue(parsing: Array(data[..<line])),
      head["key"]?.string == name, let type = head["type"]?.string, let size = head["size"]?.number,
      Int(exactly: size) == data.count - line - 1,
      let status = head["status"]?.number.flatMap({ Int(exactly: $0) })
    else { return nil }
    var answer = HTTPAnswer(status: status, type: type, body: Array(data[(line + 1)...]))
    for header in head["headers"]?.object ?? [] {
      answer.headers.append((header.key, header.value.string ?? ""))
    }
    answer = answer.named()
    guard answer.etag == head["etag"]?.string else { return nil }
    return (answer, max(0, Platform.clockMilliseconds - stamp[2] * 1000 - stamp[3] / 1_000_000))
  }

  func noteHit() { lock.locked { hits += 1 } }

  func write(_ answer: HTTPAnswer, _ key: TileCache.Key) {
    let (name, file) = place(key)
    let head = JSONValue.members([
      "key": .string(name), "type": .string(answer.type), "status": .number(Double(answer.status)),
      "size": .number(Double(answer.body.count)), "etag": .string(answer.named().etag ?? ""),
      "headers": .object(answer.headers.map { .init($0.name, .string($0.value)) }),
    ])
    let data = Array(head.text.utf8) + [10] + answer.body
    guard data.count <= limit else { return }
    let before = Platform.stamp(file)?[1] ?? 0
    do {
      try Platform.makeFolder(FilePath.folder(file))
      try OutputFile.write(file, data)
      let isFull = lock.locked {
        bytes += data.count - before
        return bytes > limit
      }
      if isFull { trim() }
    } catch {
      let isFirst = lock.locked {
        faults += 1
        return faults == 1
      }
      if isFirst {
        Console.warning("--tile-cache-folder: answers are not kept: \(error); /metrics counts how often")
      }
    }
  }

  func remove(_ key: TileCache.Key) {
    let path = place(key).path
    if let stamp = Platform.stamp(path) { drop(File(path: path, size: stamp[1], time: 0)) }
  }

  /// Drops what `covers` says. Returns how many there were.
  func purge(_ covers: (TileCache.Key) -> Bool) -> Int {
    var count = 0
    for file in files() {
      guard let key = (try? Platform.readHead(file.path, 16384)).flatMap(DiskCache.key) else {
        // Cut, or a draft that nobody finishes: no answer either way.
        drop(file)
        continue
      }
      if covers(key) {
        drop(file)
        count += 1
      }
    }
    return count
  }

  /// The key that the first line of a file holds.
  private static func key(_ head: [UInt8]) -> TileCache.Key? {
    guard let line = head.firstIndex(of: 10),
      let name = (try? JSONValue(parsing: Array(head[..<line])))?["key"]?.string
    else { return nil }
    // mark, owner, z/x/y, path
    let parts = name.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4 else { return nil }
    let tile = parts[2].split(separator: "/").compactMap { Int($0) }
    guard tile.count == 3 else { return nil }
    return TileCache.Key(owner: parts[1], path: parts[3], z: tile[0], x: tile[1], y: tile[2])
  }

  private func drop(_ file: File) {
    guard Platform.removeFile(file.path) else { return }
    lock.locked { bytes = max(0, bytes - file.size) }
  }

  /// Drops the files that were written first, down to nine tenths of what there may be.
  private func trim() {
    let isMine = lock.locked { () -> Bool in
      guard !isTrimming, bytes > limit else { return false }
      isTrimming = true
      return true
    }
    guard isMine else { return }
    defer { lock.locked { isTrimming = false } }
    let all = files().sorted { $0.time < $1.time }
    lock.locked { bytes = all.reduce(0) { $0 + $1.size } }
    for file in all {
      guard lock.locked({ bytes > limit / 10 * 9 }) else { break }
      drop(file)
    }
  }

  private struct File {
    var path: String
    var size: Int
    /// Nanoseconds.
    var time: Int
  }

  /// Files of ours; drafts only where nobody can be writing them any more.
  private func files() -> [File] {
    var result: [File] = []
    let now = Platform.wallSeconds
    for group in Platform.names(in: folder) ?? [] where group.utf8.count == 2 && DiskCache.isHash(group) {
      for name in Platform.names(in: "\(folder)/\(group)") ?? [] where DiskCache.isOurs(name) {
        let path = "\(folder)/\(group)/\(name)"
        guard let stamp = Platform.stamp(path), !name.hasSuffix(".part") || stamp[2] < now - 60 else {
          continue
        }
        result.append(File(path: path, size: stamp[1], time: stamp[2] * 1_000_000_000 + stamp[3]))
      }
    }
    return result
  }

  /// 14 digits, or a draft of such a file.
  private static func isOurs(_ name: String) -> Bool {
    isHash(name.prefix(14))
      && (name.utf8.count == 14 || name.dropFirst(14).first == "." && name.hasSuffix(".part"))
  }

  private static func isHash(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  /// All that tells an answer apart, and where it is.
  private func place(_ key: TileCache.Key) -> (name: String, path: String) {
    let mark = lock.locked { marks[key.owner] ?? "" }
    var name = "\(mark)\n\(key.owner)\n\(key.z)/\(key.x)/\(key.y)\n\(key.path)"
    let text = name.withUTF8 { Fingerprint(UnsafeRawBufferPointer($0)).text.prefix(16) }
    return (name, "\(folder)/\(text.prefix(2))/\(text.dropFirst(2))")
  }
}
