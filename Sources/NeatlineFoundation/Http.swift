import Foundation
import Neatline

extension HttpRequest {
  /// What is sent, for POST.
  public var body: Data? {
    get { bodyBytes.map { Data($0) } }
    set { bodyBytes = newValue.map { [UInt8]($0) } }
  }

  /// A request with a body.
  public init(
    method: HttpMethod, url: String, headers: [String: String] = [:], timeout: UInt64 = 0, body: Data
  ) {
    self.init(method: method, url: url, headers: headers, timeout: timeout, body: [UInt8](body))
  }
}

extension HttpResponseData {
  /// The body, unpacked.
  public var data: Data {
    get { Data(dataBytes) }
    set { dataBytes = [UInt8](newValue) }
  }

  /// An answer of any status.
  public init(headers: [String: String], code: Int64, data: Data) {
    self.init(headers: headers, code: code, data: [UInt8](data))
  }
}
