/// What went wrong in a download: the first of each, and how many more. Told on another thread than it is shown.
final class OfflineFaults: @unchecked Sendable {  // only reached under the lock
  private let lock = Lock()
  private var texts: [String] = []
  private var count = 0
  private static let limit = 10

  func add(_ text: String) {
    lock.locked {
      count += 1
      if texts.count < OfflineFaults.limit, !texts.contains(text) { texts.append(text) }
    }
  }

  func tell() {
    lock.locked {
      for text in texts { Console.warning(text) }
      if count > texts.count { Console.warning("\(count - texts.count) more") }
    }
  }
}
