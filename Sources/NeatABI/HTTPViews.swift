import CNeatline
import NeatBase
import NeatNetwork

extension neat_http_service: GrowingStruct {
  static var structName: String { "neat_http_service" }
  static var firstSize: Int { 32 }
}

extension neat_http_interceptor: GrowingStruct {
  static var structName: String { "neat_http_interceptor" }
  static var firstSize: Int { 40 }
}

/// Texts side by side, of which structures lent to a callback have their pointers.
private struct LentTexts {
  private(set) var bytes: [UInt8] = []
  private var ends: [Int] = []

  mutating func add(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    ends.append(bytes.count)
    // Not promised, but what C programs are used to.
    bytes.append(0)
  }

  /// The text at an index, over the bytes at `base`.
  func view(_ index: Int, _ base: UnsafePointer<UInt8>) -> (UnsafePointer<CChar>, Int) {
    let start = index == 0 ? 0 : ends[index - 1] + 1
    return (UnsafeRawPointer(base + start).assumingMemoryBound(to: CChar.self), ends[index] - start)
  }
}

/// Headers and one text more, lent to a callback.
private func lend<R>(
  _ text: String, _ headers: HTTPHeaders,
  _ body: ((UnsafePointer<CChar>, Int), UnsafeBufferPointer<neat_http_header>) -> R
) -> R {
  var texts = LentTexts()
  texts.add(text)
  for header in headers {
    texts.add(header.name)
    texts.add(header.value)
  }
  return texts.bytes.withUnsafeBufferPointer { bytes in
    // The first text has its end at least.
    let base = bytes.baseAddress!
    let views = headers.indices.map { index in
      let (name, nameSize) = texts.view(2 * index + 1, base)
      let (value, valueSize) = texts.view(2 * index + 2, base)
      return neat_http_header(name: name, name_size: nameSize, value: value, value_size: valueSize)
    }
    return views.withUnsafeBufferPointer { body(texts.view(0, base), $0) }
  }
}

extension HTTPExchange {
  /// The request as the header has it, for the time of a call.
  func lent<R>(id: UInt64, _ use: (UnsafePointer<neat_http_request>) -> R) -> R {
    lend(url, headers) { url, headers in
      body.withUnsafeBufferPointer { body in
        var view = neat_http_request()
        view.struct_size = UInt32(MemoryLayout<neat_http_request>.size)
        view.method = neat_http_method(UInt32(method.rawValue))
        view.id = id
        (view.url, view.url_size) = url
        if !headers.isEmpty { view.headers = headers.baseAddress }
        view.header_count = headers.count
        if !body.isEmpty { view.body = body.baseAddress }
        view.body_size = body.count
        view.timeout_ms = timeoutMS
        return use(&view)
      }
    }
  }
}

extension HTTPAnswer {
  func lent<R>(_ use: (UnsafePointer<neat_http_response>) -> R) -> R {
    lend("", headers) { _, headers in
      body.withUnsafeBufferPointer { body in
        var view = neat_http_response()
        view.struct_size = UInt32(MemoryLayout<neat_http_response>.size)
        view.status = UInt32(clamping: status)
        if !headers.isEmpty { view.headers = headers.baseAddress }
        view.header_count = headers.count
        if !body.isEmpty { view.body = body.baseAddress }
        view.body_size = body.count
        return use(&view)
      }
    }
  }
}

// MARK: What hosts give

private let headerByteLimit = HTTPAnswer.headerByteLimit

/// The name of a header: a token (RFC 9110, 5.6.2).
func headerName(_ pointer: UnsafePointer<CChar>?, _ size: Int) throws(NeatError) -> String {
  guard size <= headerByteLimit else { throw tooManyHeaders }
  let name = try text(pointer, size, "the name of a header")
  guard !name.isEmpty,
    name.utf8.allSatisfy({
      $0 > 0x20 && $0 < 0x7f && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0)
    })
  else {
    throw NeatError(.invalidArgument, "\"\(name.prefix(100))\" is no name of a header")
  }
  return name
}

/// The value of a header, without line ends, which would be further headers. Values may be credentials: errors
/// do not repeat them.
func headerValue(_ pointer: UnsafePointer<CChar>?, _ size: Int, of name: String) throws(NeatError) -> String {
  guard size <= headerByteLimit else { throw tooManyHeaders }
  let value = try text(pointer, size, "the value of a header")
  guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
    throw NeatError(.invalidArgument, "the value of the header \(name) has control characters in it")
  }
  return value
}

let tooManyHeaders = NeatError(
  .limitExceeded, "the headers are longer than the limit of \(headerByteLimit) bytes")

/// Headers of an answer, copied, with names in lower case.
func answerHeaders(_ headers: UnsafePointer<neat_http_header>?, _ count: Int) throws(NeatError) -> HTTPHeaders
{
  guard count > 0 else {
    guard count == 0 else { throw NeatError(.invalidArgument, "header_count is \(UInt(bitPattern: count))") }
    return []
  }
  guard count <= headerByteLimit else { throw tooManyHeaders }
  let headers = try required(headers, "headers")
  var result: HTTPHeaders = []
  var size = 0
  for index in 0..<count {
    let header = headers[index]
    // A size beyond Int is negative.
    guard header.name_size >= 0, header.value_size >= 0 else { throw tooManyHeaders }
    size = size.addingSaturated(header.name_size).addingSaturated(header.value_size)
    guard size <= headerByteLimit else { throw tooManyHeaders }
    let name = try headerName(header.name, header.name_size).lowercased()
    result.append((name, try headerValue(header.value, header.value_size, of: name)))
  }
  return result
}

/// A status of HTTP's.
func answerStatus(_ status: UInt32) throws(NeatError) -> Int {
  guard (100...599).contains(status) else {
    throw NeatError(.invalidArgument, "the status \(status) is not within 100 to 599")
  }
  return Int(status)
}

extension Int {
  /// For sizes of a caller's: sums past the largest number are the largest number.
  fileprivate func addingSaturated(_ other: Int) -> Int {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }
}

/// An http or https address.
func serverAddress(_ pointer: UnsafePointer<CChar>?, _ size: Int) throws(NeatError) -> String {
  let url = try text(pointer, size, "url")
  guard ["http", "https"].contains(Address.scheme(url)),
    !url.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f })
  else {
    throw NeatError(.invalidArgument, "not an http or https address")
  }
  return url
}
