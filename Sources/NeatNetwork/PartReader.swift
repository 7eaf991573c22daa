// Many tiles of one view lie side by side in an archive. What is asked for within one turn of the loop is
// sorted and joined across small gaps into few requests, and what a request under way will bring is not asked
// for again.
import NeatBase
import NeatLoop

/// Bytes of a file on a server.
package struct ByteRange: Sendable, Hashable {
  package var offset: UInt64
  package var count: UInt64

  package init(offset: UInt64, count: UInt64) {
    self.offset = offset
    self.count = count
  }

  package var end: UInt64 { offset + count }
}

/// A part as it arrived: all bytes asked for, or those that the file has.
package struct FilePart: Sendable {
  package var bytes: [UInt8]
  package var etag: String?
  package var totalBytes: UInt64?
  /// There is no such file.
  package var isMissing = false

  package init(bytes: [UInt8], etag: String? = nil, totalBytes: UInt64? = nil, isMissing: Bool = false) {
    self.bytes = bytes
    self.etag = etag
    self.totalBytes = totalBytes
    self.isMissing = isMissing
  }
}

/// Reads parts of one file on a server. Only for the loop's thread.
package final class PartReader {
  /// Bytes between two parts that are fetched along rather than asking twice.
  package static let maxGap: UInt64 = 32 << 10
  /// Bytes of one joined request at most; a single part may be larger.
  package static let maxJoined: UInt64 = 4 << 20

  private unowned let client: HTTPClient
  private let url: String
  private var waiting: [PartRead] = []
  private var batches: [Batch] = []
  private var timer: LoopTimer?

  private final class Batch {
    let range: ByteRange
    var reads: [PartRead]
    var call: HTTPCall?
    /// Of the last try, where others follow.
    var failure: NeatError?

    init(_ range: ByteRange, _ reads: [PartRead]) {
      self.range = range
      self.reads = reads
    }

    var isPatient: Bool { reads.contains { $0.request.isPatient } }

    /// Patient ones and others wait for different ends.
    func brings(_ read: PartRead) -> Bool {
      range.offset <= read.range.offset && read.range.end <= range.end
        && isPatient == read.request.isPatient
    }
  }

  private init(_ client: HTTPClient, _ url: String) {
    self.client = client
    self.url = url
  }

  /// The client's reader of a file.
  package static func of(_ client: HTTPClient, _ url: String) -> PartReader {
    if let known = client.partReaders[url] { return known }
    let made = PartReader(client, url)
    client.partReaders[url] = made
    return made
  }

  /// Begins to read. `request` gives headers, the time limit and the limit of bytes. The completion is called
  /// exactly once, never from within this call; `onFailure` at each failure of a patient read after which it is
  /// tried again.
  package func read(
    _ range: ByteRange, _ request: HTTPRequest, onFailure: ((NeatError) -> Void)? = nil,
    _ completion: @escaping (Result<FilePart, NeatError>) -> Void
  ) -> PartRead {
    let read = PartRead(self, range, request, completion)
    read.onFailure = onFailure
    // The time of a patient one is that of each try, which the client knows.
    if request.timeoutMS > 0, !request.isPatient {
      read.timer = client.loop.timer(afterMS: request.timeoutMS) { [weak read, url] in
        read?.end(.failure(NeatError(.timeout, "no answer in time", resource: url)))
      }
    }
    if let batch = batches.first(where: { $0.brings(read) }) {
      batch.reads.append(read)
      if let failure = batch.failure {
        _ = client.loop.timer(afterMS: 0) { [weak read] in read?.tellFailure(failure) }
      }
    } else {
      waiting.append(read)
      if timer == nil { timer = client.loop.timer(afterMS: 0) { [self] in send() } }
    }
    return read
  }

  private func send() {
    timer = nil
    let reads = waiting.sorted { ($0.range.offset, $0.range.count) < ($1.range.offset, $1.range.count) }
    waiting = []
    let joined =
      join(reads.filter { $0.request.isPatient }) + join(reads.filter { !$0.request.isPatient })
    for batch in joined { begin(batch) }
    leaveIfIdle()
  }

  private func join(_ reads: [PartRead]) -> [Batch] {
    var joined: [Batch] = []
    for read in reads {
      if let last = joined.last, read.range.offset <= last.range.end + PartReader.maxGap,
        max(last.range.end, read.range.end) - last.range.offset <= PartReader.maxJoined
          || read.range.end <= last.range.end
      {
        let end = max(last.range.end, read.range.end)
        joined[joined.count - 1] = Batch(
          ByteRange(offset: last.range.offset, count: end - last.range.offset), last.reads + [read])
      } else {
        joined.append(Batch(read.range, [read]))
      }
    }
    return joined
  }

  private func begin(_ batch: Batch) {
    var request = batch.reads[0].request
    request.url = url
    request.range = (batch.range.offset, batch.range.count)
    request.byteLimit = max(Int(clamping: batch.range.count), batch.reads.map(\.request.byteLimit).min() ?? 0)
    request.priority = batch.reads.map(\.request.priority).min() ?? 0
    let times = batch.reads.map(\.request.timeoutMS)
    request.timeoutMS = times.contains(0) ? 0 : times.max() ?? 0
    batches.append(batch)
    batch.call = client.fetch(request) { [self] result in
      batches.removeAll { $0 === batch }
      for read in batch.reads { read.end(PartReader.part(read.range, of: batch.range, result)) }
      leaveIfIdle()
    }
    batch.call?.onFailure = { [unowned batch] error in
      batch.failure = error
      for read in batch.reads { read.tellFailure(error) }
    }
  }

  private static func part(_ range: ByteRange, of whole: ByteRange, _ result: HTTPResult) -> Result<
    FilePart, NeatError
  > {
    result.map { response in
      if response.isMissing { return FilePart(bytes: [], isMissing: true) }
      let start = min(Int(range.offset - whole.offset), response.bytes.count)
      let end = min(start + Int(clamping: range.count), response.bytes.count)
      return FilePart(
        bytes: Array(response.bytes[start..<end]), etag: response.etag, totalBytes: response.totalBytes)
    }
  }

  /// A read has settled: a request that nobody waits for any more ends.
  fileprivate func forget(_ read: PartRead) {
    waiting.removeAll { $0 === read }
    for batch in batches where batch.reads.contains(where: { $0 === read }) {
      batch.reads.removeAll { $0 === read }
      if batch.reads.isEmpty { batch.call?.cancel() }
    }
  }

  func close() {
    timer?.cancel()
    timer = nil
    for read in waiting { read.end(.failure(NeatError(.cancelled, "the loop is closed", resource: url))) }
    waiting = []
    client.partReaders[url] = nil
  }

  private func leaveIfIdle() {
    if waiting.isEmpty && batches.isEmpty && timer == nil { client.partReaders[url] = nil }
  }
}

/// A part under way.
package final class PartRead {
  let range: ByteRange
  let request: HTTPRequest
  var timer: LoopTimer?
  /// Told of each failure of a patient read after which it is tried again.
  fileprivate(set) var onFailure: ((NeatError) -> Void)?
  private let reader: PartReader
  private var completion: ((Result<FilePart, NeatError>) -> Void)?

  init(
    _ reader: PartReader, _ range: ByteRange, _ request: HTTPRequest,
    _ completion: @escaping (Result<FilePart, NeatError>) -> Void
  ) {
    self.reader = reader
    self.range = range
    self.request = request
    self.completion = completion
  }

  /// The first call counts.
  func end(_ result: Result<FilePart, NeatError>) {
    timer?.cancel()
    timer = nil
    guard let completion else { return }
    self.completion = nil
    onFailure = nil
    reader.forget(self)
    completion(result)
  }

  func tellFailure(_ error: NeatError) { onFailure?(error) }

  package func cancel() { end(.failure(NeatError(.cancelled, "cancelled"))) }
}
