import Neatline

/// Answers in files of a folder, up to a number of bytes; the oldest go first. What cannot be written is not
/// kept and counted, so that a full disk costs pictures their keeping and nothing else.
///
/// A file is `FOLDER/xx/yyyy…`, by a hash of the address; its first line is JSON with the whole address, which
/// is compared, and with the length of the body, so that a file that was cut is no answer.
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
  func mark(_ owner: String, _ mark: String) { lock.locked { marks[owner] = mark } }

  func read(_ key: TileCache.Key) -> HTTPAnswer? {
    guard let data = try? Platform.readFile(path(key)), let line = data.firstIndex(of: 10),
      let head = try? JSONValue(parsing: Array(data[..<line])), head["key"]?.string == name(key),
      let type = head["type"]?.string, let size = head["size"]?.number,
      Int(exactly: size) == data.count - line - 1,
      let status = head["status"]?.number.flatMap({ Int(exactly: $0) })
    else { return nil }
    lock.locked { hits += 1 }
    var answer = HTTPAnswer(status: status, type: type, body: Array(data[(line + 1)...]))
    for header in head["headers"]?.object ?? [] {
      answer.headers.append((header.key, header.value.string ?? ""))
    }
    answer = answer.named()
    guard answer.etag == head["etag"]?.string else { return nil }
    return answer
  }

  func write(_ answer: HTTPAnswer, _ key: TileCache.Key) {
    let head = JSONValue.members([
      "key": .string(name(key)), "type": .string(answer.type), "status": .number(Double(answer.status)),
      "size": .number(Double(answer.body.count)), "etag": .string(answer.named().etag ?? ""),
      "headers": .object(answer.headers.map { .init($0.name, .string($0.value)) }),
    ])
    let file = path(key)
    do {
      try Platform.makeFolder(FilePath.folder(file))
      let data = Array(head.text.utf8) + [10] + answer.body
      try Platform.replaceFile(file, data)
      let isFull = lock.locked {
        bytes += data.count
        return bytes > limit
      }
      if isFull { trim() }
    } catch {
      lock.locked { faults += 1 }
    }
  }

  func purge(owner: String?, zooms: ClosedRange<Int>?, within: TileBox?) {
    for file in files() {
      guard let head = try? Platform.readHead(file.path, 1024), let line = head.firstIndex(of: 10),
        let key = (try? JSONValue(parsing: Array(head[..<line])))?["key"]?.string
      else {
        drop(file)
        continue
      }
      // mark, owner, z/x/y, path
      let parts = key.split(separator: "\n", omittingEmptySubsequences: false)
      guard parts.count == 4, owner == nil || parts[1] == owner! else { continue }
      if zooms != nil || within != nil {
        let tile = parts[2].split(separator: "/").compactMap { Int($0) }
        guard tile.count == 3, tile[0] >= 0, zooms?.contains(tile[0]) ?? true,
          within?.meets(tile[0], tile[1], tile[2]) ?? true
        else { continue }
      }
      drop(file)
    }
  }

  private func drop(_ file: File) {
    guard Platform.removeFile(file.path) else { return }
    lock.locked { bytes = max(0, bytes - file.size) }
  }

  /// Drops the files that were written first, down to nine tenths of what there may be.
  private func trim() {
    guard
      lock.locked({
        isTrimming
          ? false
          : bytes > limit
            ? {
              isTrimming = true; return true
            }() : false
      })
    else {
      return
    }
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
    var time: Int
  }

  private func files() -> [File] {
    var result: [File] = []
    for group in Platform.names(in: folder) ?? [] where group.count == 2 {
      for name in Platform.names(in: "\(folder)/\(group)") ?? [] {
        let path = "\(folder)/\(group)/\(name)"
        guard let stamp = Platform.stamp(path) else { continue }
        result.append(File(path: path, size: stamp[1], time: stamp[2]))
      }
    }
    return result
  }

  /// All that tells answers apart.
  private func name(_ key: TileCache.Key) -> String {
    let mark = lock.locked { marks[key.owner] ?? "" }
    return "\(mark)\n\(key.owner)\n\(key.z)/\(key.x)/\(key.y)\n\(key.path)"
  }

  private func path(_ key: TileCache.Key) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name(key).utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash ^= hash >> 32
    let digits = String(hash, radix: 16)
    let text = String(repeating: "0", count: 16 - digits.count) + digits
    return "\(folder)/\(text.prefix(2))/\(text.dropFirst(2))"
  }
}
