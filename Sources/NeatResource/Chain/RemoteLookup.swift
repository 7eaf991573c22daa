import NeatBase
import NeatNetwork
import NeatTile

/// A lookup in an archive on a server: gets what it asks for, part after part, until it is done. Only for the
/// loop's thread.
final class RemoteLookup {
  private var lookup: PMTilesArchive.Lookup
  private let url: String
  private let reader: PartReader
  private let wantsTile: Bool
  private let settle: (ResourceResult) -> Void
  private var read: PartRead?
  private var isOver = false
  /// Told of each failure of a patient request after which it is tried again.
  var onFailure: ((NeatError) -> Void)?
  /// What a part is asked for with, in the time that is left by then.
  private let makeRequest: () -> HTTPRequest

  init(
    _ lookup: PMTilesArchive.Lookup, _ url: String, _ reader: PartReader, wantsTile: Bool,
    makeRequest: @escaping () -> HTTPRequest, settle: @escaping (ResourceResult) -> Void
  ) {
    self.lookup = lookup
    self.url = url
    self.reader = reader
    self.wantsTile = wantsTile
    self.settle = settle
    self.makeRequest = makeRequest
  }

  func get(_ range: ByteRange) {
    guard !isOver else { return }
    let onFailure: (NeatError) -> Void = { [weak self] in self?.onFailure?($0) }
    read = reader.read(range, makeRequest(), onFailure: onFailure) { result in
      do throws(NeatError) {
        try self.take(try result.get())
      } catch {
        self.end(.failed(error))
      }
    }
  }

  /// Ends it without a word.
  func cancel() {
    isOver = true
    read?.cancel()
  }

  private func end(_ result: ResourceResult) {
    guard !isOver else { return }
    isOver = true
    settle(result)
  }

  private func take(_ part: FilePart) throws(NeatError) {
    guard !isOver else { return }
    if part.isMissing {
      guard wantsTile else { return end(.missing) }
      throw NeatError(.archive, "the archive is not there")
    }
    try lookup.accept(part)
    switch lookup.next() {
    case .done(let result): end(result)
    case .read(let range): get(range)
    }
  }
}
