/// What others have for the thread of a live map. Any thread.
final class LiveInbox: @unchecked Sendable {  // everything that changes is under `lock`
  enum Word: Sendable {
    /// The server stops.
    case stop
    /// The style was loaded anew; nil: it is not served any more.
    case style(StyleSite?)
  }

  private let lock = Lock()
  private var words: [Word] = []
  private let pipe: (read: Int32, write: Int32)

  init() throws { pipe = try Platform.makePipe() }

  deinit {
    Platform.close(pipe.read)
    Platform.close(pipe.write)
  }

  /// Becomes readable when there is a word.
  var descriptor: Int32 { pipe.read }

  func post(_ word: Word) {
    lock.locked {
      // Of several styles the last one counts.
      if case .style = word { words.removeAll { if case .style = $0 { true } else { false } } }
      words.append(word)
    }
    Platform.poke(pipe.write)
  }

  func take() -> [Word] {
    Platform.drain(pipe.read)
    return lock.locked {
      defer { words = [] }
      return words
    }
  }
}
