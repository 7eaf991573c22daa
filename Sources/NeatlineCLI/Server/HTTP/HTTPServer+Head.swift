// What the head of a request has to be before anything of it counts. The library is lenient, and where two readers
// take a head for different things, what one of them takes for a body is the next request of the other. So each form
// that RFC 9112 forbids is refused, and the connection ends: nothing that follows is read as a request.
import CMicroHTTPD

/// The first line of a request as the library has it, in its own buffer.
struct RequestLine {
  var method: UnsafePointer<CChar>?
  var address: UnsafePointer<CChar>?
  var version: UnsafePointer<CChar>?
}

extension HTTPServer {
  /// Reads the head; says what is wrong with it.
  func read(_ exchange: Exchange, _ line: RequestLine) -> HTTPAnswer? {
    guard let method = line.method, let version = line.version else {
      return .text(400, "not a request of HTTP\n")
    }
    var request = HTTPRequest()
    request.version = String(cString: version)
    request.method = String(cString: method)
    request.peer = exchange.client.peer.text
    request.local = exchange.client.local
    defer { exchange.request = request }
    let refusal = request.take(address: exchange.address)
    takeFields(exchange.connection, &request)
    guard request.version.hasPrefix("HTTP/") else { return .text(400, "not a request of HTTP\n") }
    if let fault = fault(exchange, line, isOld: request.version == "HTTP/1.0") {
      return .text(400, fault + "\n")
    }
    guard request.version == "HTTP/1.1" || request.version == "HTTP/1.0" else {
      return .text(505, "HTTP/1.0 and HTTP/1.1 only\n")
    }
    guard ["GET", "HEAD", "OPTIONS"].contains(request.method) else {
      var answer = HTTPAnswer.text(405, "only GET, HEAD and OPTIONS\n")
      answer.headers.append(("Allow", HTTPAnswer.methods))
      return answer
    }
    // `OPTIONS *` is of the server as a whole.
    if let refusal, request.method != "OPTIONS" || exchange.address != "*" { return refusal }
    guard neat_mhd_head_bytes(exchange.connection) <= HTTPRequest.headLimit else {
      return .text(431, "the head of the request is longer than \(HTTPRequest.headLimit) bytes\n")
    }
    guard neat_mhd_body(exchange.connection, 0, exchange.guards) == 0 else {
      return .text(400, "a request with a body\n")
    }
    return takeOrigin(exchange.client, neat_mhd_count(exchange.connection, "host"), &request)
  }

  /// What makes a head ambiguous, whatever its method is.
  private func fault(_ exchange: Exchange, _ line: RequestLine, isOld: Bool) -> String? {
    let fault = neat_mhd_audit_head(
      exchange.connection, line.method, line.address, exchange.addressBytes, line.version, exchange.guards)
    switch neat_mhd_fault(UInt32(fault)) {
    case neat_mhd_fault_none: break
    case neat_mhd_fault_method: return "the method is no token"
    case neat_mhd_fault_line:
      return "the first line is not METHOD, address and version with one blank between"
    case neat_mhd_fault_name: return "the name of a field is no token"
    case neat_mhd_fault_value: return "a field has a control character"
    default: return "the head has a NUL, a folded line, or a line that does not end in CR LF"
    }
    guard neat_mhd_body(exchange.connection, isOld ? 1 : 0, exchange.guards) >= 0 else {
      return "the length of the body is not clear"
    }
    return nil
  }

  private func takeFields(_ connection: OpaquePointer, _ request: inout HTTPRequest) {
    for name in HTTPRequest.fieldNames {
      if let value = neat_mhd_field(connection, name) { request.fields[name] = String(cString: value) }
    }
    for name in HTTPRequest.joinedFieldNames {
      request.fields[name] = withUnsafeTemporaryAllocation(
        of: CChar.self, capacity: HTTPRequest.joinedFieldLimit
      ) { buffer in
        switch neat_mhd_found(UInt32(neat_mhd_joined(connection, name, buffer.baseAddress, buffer.count))) {
        case neat_mhd_absent: nil
        case neat_mhd_whole: String(cString: buffer.baseAddress!)
        default: HTTPRequest.tooLong
        }
      }
    }
  }

  /// Where the client thinks that this server is. What a proxy says of that counts where it is trusted.
  private func takeOrigin(_ client: Client, _ count: Int32, _ request: inout HTTPRequest) -> HTTPAnswer? {
    guard count == 1 || count == 0 && request.version == "HTTP/1.0" else {
      return .text(400, "a request needs one Host\n")
    }
    var scheme = isEncrypted ? "https" : "http"
    var text = request.fields["host"]?.trimmed ?? ""
    var host = HTTPHost(text)
    guard host != nil || count == 0 else { return .text(400, "no such Host\n") }
    let isTrusted = client.isTrusted
    if isTrusted, let given = request.first("x-forwarded-proto")?.lowercased() {
      guard given == "http" || given == "https" else { return .text(400, "no such X-Forwarded-Proto\n") }
      scheme = given
    }
    if let absolute = request.absolute {
      guard let asked = HTTPHost(absolute.authority), absolute.scheme == scheme,
        host?.isSame(as: asked, scheme: scheme) ?? true
      else { return .text(400, "the address is not of this Host and scheme\n") }
      (host, text) = (asked, absolute.authority)
    }
    if isTrusted, let given = request.first("x-forwarded-host") {
      guard let named = HTTPHost(given) else { return .text(400, "no such X-Forwarded-Host\n") }
      (host, text) = (named, given)
    }
    request.host = host
    request.origin = host == nil ? "" : "\(scheme)://\(text)"
    return nil
  }
}
