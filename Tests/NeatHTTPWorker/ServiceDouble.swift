import Foundation
import Neatline

/// A service that answers from memory, as it is told, and counts what it is asked.
final class ServiceDouble: HttpServiceInterface, @unchecked Sendable {  // all state is behind the lock
  enum Answer {
    case data(Int64, [String: String], String)
    case failure(HttpRequestErrorType, String)
    /// Nothing, until `answerWaiting`.
    case never
    /// The second one does not count.
    case twice(String, String)
  }

  private let lock = NSLock()
  private let rule: @Sendable (_ request: HttpRequest, _ earlier: Int) -> Answer
  /// Whether answers come from within `request`, else from a thread each.
  private let isImmediate: Bool
  private var asked: [HttpRequest] = []
  private var cancelled: [UInt64] = []
  private var waiting: [(HttpRequest, HttpResponseCallback)] = []

  init(
    immediate: Bool = false,
    _ rule: @escaping @Sendable (_ request: HttpRequest, _ earlier: Int) -> Answer
  ) {
    isImmediate = immediate
    self.rule = rule
  }

  private func locked<T>(_ body: () -> T) -> T {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  var requests: [HttpRequest] { locked { asked } }
  var cancelledCount: Int { locked { cancelled.count } }
  func count(_ path: String) -> Int { requests.filter { $0.url.hasSuffix(path) }.count }

  func request(for request: HttpRequest, callback: @escaping HttpResponseCallback) -> UInt64 {
    let (number, earlier) = locked {
      defer { asked.append(request) }
      return (UInt64(asked.count + 1), asked.filter { $0.url == request.url }.count)
    }
    let answer = rule(request, earlier)
    if isImmediate {
      give(answer, request, callback)
    } else {
      Thread { [self] in give(answer, request, callback) }.start()
    }
    return number
  }

  private func give(_ answer: Answer, _ request: HttpRequest, _ callback: @escaping HttpResponseCallback) {
    switch answer {
    case .data(let code, let headers, let text):
      callback(.init(request: request, result: .success(.init(headers: headers, code: code, text: text))))
    case .failure(let type, let message):
      callback(.init(request: request, result: .failure(.init(type: type, message: message))))
    case .never: locked { waiting.append((request, callback)) }
    case .twice(let first, let second):
      for text in [first, second] {
        callback(.init(request: request, result: .success(.init(headers: [:], code: 200, text: text))))
      }
    }
  }

  /// Gives late answers to all that had none.
  func answerWaiting(_ text: String) -> Int {
    let late = locked {
      defer { waiting = [] }
      return waiting
    }
    for (request, callback) in late {
      callback(.init(request: request, result: .success(.init(headers: [:], code: 200, text: text))))
    }
    return late.count
  }

  func cancelRequest(forId id: UInt64, callback: @escaping ResultCallback) {
    locked { cancelled.append(id) }
    callback(true)
  }
}

extension HttpResponseData {
  init(headers: [String: String], code: Int64, text: String) {
    self.init(headers: headers, code: code, data: Array(text.utf8))
  }
}
