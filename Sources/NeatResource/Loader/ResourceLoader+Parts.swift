import NeatBase
import NeatLoop
import NeatNetwork

extension ResourceLoader {
  func httpRequest(_ url: String, _ kind: ResourceKind, _ deadline: Deadline) -> HTTPRequest {
    var request = HTTPRequest(url)
    request.headers = options.headers
    request.byteLimit = ResourceLoader.byteLimit(kind)
    request.unpackedLimit = options.unpackedLimit
    request.timeoutMS = options.timeoutMS
    if let left = deadline.remainingMS {
      request.timeoutMS = min(max(left, 1), options.timeoutMS == 0 ? .max : options.timeoutMS)
    }
    return request
  }

  /// The requests of the loader's own loop.
  func client(_ loop: RunLoop) throws(NeatError) -> HTTPClient {
    guard options.allowsNetwork else { throw NeatError(.unsupported, "servers may not be asked") }
    if let client = loop.attached(HTTPClient.self) { return client }
    let client = try loop.http(options.http)
    client.setOnline(isOnline)
    return client
  }

  /// Bytes a millisecond that a server must send at least, on top of the time that any request has.
  private static let slowestBytesPerMS: UInt64 = 16

  /// Reads parts of a file on a server, side by side, and waits for all of them. Any thread but a loop's.
  package func readParts(_ url: String, _ ranges: [ByteRange], deadline: Deadline = .never) throws(NeatError)
    -> [FilePart]
  {
    let thread = try backgroundThread()
    let late = Result<[FilePart], NeatError>.failure(NeatError(.timeout, "no answer in time", resource: url))
    let bytes = ranges.reduce(UInt64(0)) { $0 &+ min($1.count, 1 << 40) }
    let result = thread.run(deadline, late: late) { [self] loop, settle in
      let gathering = Gathering(ranges.count, settle)
      do throws(NeatError) {
        let reader = PartReader.of(try client(loop), url)
        gathering.reads = ranges.enumerated().map { index, range in
          var request = httpRequest(url, .tile, deadline)
          if request.timeoutMS > 0, deadline.nanoseconds == nil {
            request.timeoutMS += bytes / ResourceLoader.slowestBytesPerMS
          }
          return reader.read(range, request) { gathering.take(index, $0) }
        }
      } catch {
        settle(.failure(error))
      }
      return { for read in gathering.reads { read.cancel() } }
    }
    return try result.mapError { $0.naming(url) }.get()
  }

  /// Parts as they arrive; the first failure ends the others.
  private final class Gathering {
    private var parts: [FilePart?]
    private var left: Int
    private var settle: ((Result<[FilePart], NeatError>) -> Void)?
    var reads: [PartRead] = []

    init(_ count: Int, _ settle: @escaping (Result<[FilePart], NeatError>) -> Void) {
      parts = Array(repeating: nil, count: count)
      left = count
      self.settle = settle
      if count == 0 { settle(.success([])) }
    }

    func take(_ index: Int, _ result: Result<FilePart, NeatError>) {
      guard let settle else { return }
      switch result {
      case .success(let part):
        parts[index] = part
        left -= 1
        if left > 0 { return }
        self.settle = nil
        settle(.success(parts.compactMap { $0 }))
      case .failure(let error):
        self.settle = nil
        for read in reads { read.cancel() }
        settle(.failure(error))
      }
    }
  }
}
