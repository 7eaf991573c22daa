import Foundation
import NeatTestSupport
import Neatline
import NeatlineFoundation

let scenarios: [String: @Sendable () throws -> Void] = [
  "urlsession": throughURLSession, "draws": draws, "map": mapDraws, "twice": answersTwice,
  "cancelled": cancelled, "failures": failures, "headers": headersOfMegabytes, "retries": retries,
  "once": once, "after-request": afterRequest, "interceptor": interceptor,
  "interceptor-refuses": interceptorRefuses, "built-in": builtIn, "transform": transform,
  "offline": offline, "cache": cache, "switch": switchedOff,
]

/// A real server, asked by Foundation's URLSession.
private func throughURLSession() throws {
  let square = Array(Pages.square.utf8)
  let server = TestServer { request in
    switch request.path {
    case "/style.json": .redirect("/moved.json")
    case "/square.geojson": .versioned("1", square, to: request)
    default: .status(404)
    }
  }
  let style = Pages.style.replacingOccurrences(of: Pages.host, with: server.url(""))
  let home = TestServer { request in
    request.path == "/style.json" ? .redirect("/moved.json") : .status(200, [:], Array(style.utf8))
  }
  HttpServiceFactory.setUserDefinedForCustom(CustomHttpService())
  let resources = try Resources(.init())
  let renderer = try Renderer(styleURL: home.url("/style.json"), options: Pages.options(resources))
  let image = try renderer.draw(width: 32, height: 32)
  expectEqual(Array(image.pixels[2112..<2116]), Pages.red)
  expectEqual(try renderer.problems.count, 0)
  expectEqual(home.requests.map(\.path), ["/style.json", "/moved.json"])
  expectEqual(server.count("/square.geojson"), 1)
  // A body of Foundation's.
  var request = HttpRequest(method: .post, url: server.url("/post"), body: Data("abc".utf8))
  let data: Data? = request.body
  expectEqual(data, Data("abc".utf8))
  request.headers["Content-Type"] = "text/plain"
  let done = DispatchSemaphore(value: 0)
  _ = HttpServiceFactory.getInstance().request(for: request) { _ in done.signal() }
  done.wait()
  expectEqual(server.requests.last?.method, "POST")
  expectEqual(server.requests.last?.body, Array("abc".utf8))
  home.stop()
  server.stop()
}

/// Answers from within the call and from other threads.
private func draws() throws {
  let service = ServiceDouble { request, _ in Pages.answer(request) }
  try install(service)
  let (pixel, problems) = try Pages.draw()
  expectEqual(pixel, Pages.red)
  expect(problems.isEmpty, "\(problems)")
  expectEqual(service.requests.map(\.url), [Pages.host + "/style.json", Pages.host + "/square.geojson"])
  expect(service.requests.allSatisfy { $0.method == .get && $0.body == nil as [UInt8]? }, "no plain GET")
  expect(service.requests.allSatisfy { $0.timeout > 0 && $0.timeout <= 30 }, "\(service.requests)")
  expectEqual(service.cancelledCount, 0)
}

private func mapDraws() throws {
  let service = ServiceDouble(immediate: true) { request, _ in Pages.answer(request) }
  try install(service)
  let map = try Map(loop: EventLoop(), width: 32, height: 32)
  try map.loadStyle(Pages.host + "/style.json")
  map.loop.run(timeout: 20_000)
  expect(map.isLoaded, "the map is not loaded")
  expectEqual(Array(try map.draw().pixels[2112..<2116]), Pages.red)
}

private func answersTwice() throws {
  let service = ServiceDouble { request, _ in
    request.url.hasSuffix("style.json") ? .twice(Pages.style, "{\"version\":7}") : Pages.answer(request)
  }
  try install(service)
  for _ in 0..<8 {
    let (pixel, problems) = try Pages.draw()
    expectEqual(pixel, Pages.red)
    expect(problems.isEmpty, "\(problems)")
  }
}

/// What nobody waits for any more is cancelled; answers to it do no harm, whoever is gone.
private func cancelled() throws {
  let service = ServiceDouble { _, _ in .never }
  try install(service)
  do {
    let loop = try EventLoop()
    let map = try Map(loop: loop, width: 32, height: 32)
    try map.loadStyle(Pages.host + "/style.json")
    loop.run(timeout: 300)
    expectEqual(service.requests.count, 1)
  }
  for _ in 0..<100 where service.cancelledCount == 0 { usleep(20_000) }
  expectEqual(service.cancelledCount, 1)
  usleep(100_000)
  expectEqual(service.answerWaiting(Pages.style), 1)
  expectEqual(service.answerWaiting(Pages.style), 0)
}

private func failures() throws {
  let service = ServiceDouble { request, _ in
    switch request.url.dropFirst(Pages.host.count) {
    case "/tls": .failure(.sslError, "no certificate")
    case "/timeout": .failure(.requestTimedOut, "too late")
    case "/other": .failure(.otherError, "something else")
    case "/forbidden": .data(403, [:], "")
    case "/no-status": .data(20, [:], "")
    case "/bad-header": .data(200, ["a b": "c"], Pages.style)
    default: .data(404, [:], "")
    }
  }
  try install(service)
  var options = Pages.options()
  options.retryCount = 0
  options.timeoutMilliseconds = 5000
  for (path, status, words) in [
    ("/tls", NeatlineError.Status.network, "no certificate"), ("/timeout", .timeout, "no answer in time"),
    ("/other", .network, "something else"), ("/forbidden", .network, "403"),
    ("/no-status", .network, "20"), ("/bad-header", .network, "a b"), ("/none", .notFound, "none"),
  ] {
    let error = failure { _ = try Renderer(styleURL: Pages.host + path, options: options) }
    expect(error?.status == status && error?.message.contains(words) == true, "\(path): \(error as Any)")
  }
}

private func headersOfMegabytes() throws {
  let long = String(repeating: "x", count: 4 << 20)
  let service = ServiceDouble { request, _ in
    request.url.hasSuffix("fits.json")
      ? .data(200, ["x": String(repeating: "x", count: 100_000)], Pages.style)
      : .data(200, ["x": long], Pages.style)
  }
  try install(service)
  var options = Pages.options()
  options.retryCount = 0
  let error = failure { _ = try Renderer(styleURL: Pages.host + "/style.json", options: options) }
  expect(error?.message.contains("1048576") == true, "\(error as Any)")
  _ = try Renderer(styleURL: Pages.host + "/fits.json", options: options)
}

/// They stand above the service.
private func retries() throws {
  let service = ServiceDouble { request, earlier in
    if request.url.hasSuffix("style.json"), earlier == 0 { return .data(500, [:], "") }
    if request.url.hasSuffix("square.geojson"), earlier == 0 {
      return .failure(.connectionError, "the line is cut")
    }
    return Pages.answer(request)
  }
  try install(service)
  let (pixel, problems) = try Pages.draw()
  expectEqual(pixel, Pages.red)
  expect(problems.isEmpty, "\(problems)")
  expectEqual(service.count("/style.json"), 2)
  expectEqual(service.count("/square.geojson"), 2)
}

private func once() throws {
  let first = ServiceDouble { request, _ in Pages.answer(request) }
  let second = ServiceDouble { request, _ in Pages.answer(request) }
  try install(first)
  let error = failure { try HttpServiceFactory.setUserDefinedForCustom(second).get() }
  expectEqual(error?.status, .state)
  expect(HttpServiceFactory.getInstance() === first, "another instance")
  expectEqual(try Pages.draw().pixel, Pages.red)
  expectEqual(second.requests.count, 0)
}

private func afterRequest() throws {
  let server = TestServer { _ in .status(404) }
  _ = failure { _ = try Renderer(styleURL: server.url("/none.json")) }
  let service = ServiceDouble { request, _ in Pages.answer(request) }
  let error = failure { try HttpServiceFactory.setUserDefinedForCustom(service).get() }
  expectEqual(error?.status, .state)
  expect(error?.message.contains("request") == true, "\(error as Any)")
  server.stop()
}

private final class Interceptor: HttpServiceInterceptorInterface {
  let change: (inout HttpRequest) -> Void
  let answer: (inout HttpResponse) -> Void

  init(
    _ change: @escaping (inout HttpRequest) -> Void = { _ in },
    answer: @escaping (inout HttpResponse) -> Void = { _ in }
  ) {
    self.change = change
    self.answer = answer
  }

  func onRequest(for request: HttpRequest) -> HttpRequest {
    var request = request
    change(&request)
    return request
  }

  func onResponse(for response: HttpResponse) -> HttpResponse {
    var response = response
    answer(&response)
    return response
  }
}

private func interceptor() throws {
  let service = ServiceDouble { request, _ in
    request.headers["X-Key"] == "k" ? Pages.answer(request) : .data(401, [:], "")
  }
  try install(service)
  HttpServiceFactory.getInstance().setInterceptorForInterceptor(
    Interceptor({
      $0.headers["X-Key"] = "k"
      $0.url = $0.url.replacingOccurrences(of: "/square.geojson", with: "/elsewhere.geojson")
    }) { response in
      guard response.request.url.hasSuffix("elsewhere.geojson") else { return }
      response.result = response.result.map {
        expectEqual($0.code, 404)
        var data = HttpResponseData(headers: $0.headers, code: 200, data: Array(Pages.square.utf8))
        data.headers["x-changed"] = "1"
        return data
      }
    })
  let (pixel, problems) = try Pages.draw()
  expectEqual(pixel, Pages.red)
  expect(problems.isEmpty, "\(problems)")
  expectEqual(
    service.requests.map(\.url), [Pages.host + "/style.json", Pages.host + "/elsewhere.geojson"])
  // Taken away again.
  HttpServiceFactory.setHttpServiceInterceptorForInterceptor(nil)
  let error = failure { _ = try Pages.draw() }
  expect(error?.message.contains("401") == true, "\(error as Any)")
}

/// What an interceptor refuses, or gives wrongly, fails and says so.
private func interceptorRefuses() throws {
  let service = ServiceDouble { request, _ in Pages.answer(request) }
  try install(service)
  for (interceptor, words, count) in [
    (Interceptor({ $0.url = "ftp://x/" }), "not an http or https address", 0),
    (Interceptor({ $0.headers["a"] = "b\r\nc: d" }), "control characters", 0),
    (
      Interceptor(answer: { $0.result = .failure(.init(type: .otherError, message: "not today")) }),
      "not today", 1
    ),
    (
      Interceptor(answer: { $0.result = .success(.init(headers: [:], code: 7, text: "")) }), "status 7", 2
    ),
  ] {
    HttpServiceFactory.setHttpServiceInterceptorForInterceptor(interceptor)
    let error = failure { _ = try Pages.draw() }
    expect(error?.message.contains(words) == true, "\(error as Any)")
    expectEqual(service.requests.count, count)
  }
}

/// An interceptor of libcurl's requests; the instance that stands for it.
private func builtIn() throws {
  let server = TestServer { $0.headers["x-key"] == "k" ? .status(404) : .status(500) }
  let instance = HttpServiceFactory.getInstance()
  instance.setInterceptorForInterceptor(Interceptor({ $0.headers["X-Key"] = "k" }))
  let error = failure { _ = try Renderer(styleURL: server.url("/none.json")) }
  expectEqual(error?.status, .notFound)
  expectEqual(server.requests.map { $0.headers["x-key"] }, ["k"])
  let done = DispatchSemaphore(value: 0)
  _ = instance.request(for: HttpRequest(url: server.url("/"))) { response in
    if case .success = response.result { expect(false, "an answer") }
    done.signal()
  }
  done.wait()
  server.stop()
}

/// Credentials by headers and by address, which nobody is told of.
private func transform() throws {
  let service = ServiceDouble { request, _ in
    guard request.url.hasSuffix("?token=SECRET"), request.headers["Authorization"] == "Bearer SECRET" else {
      return .data(401, [:], "")
    }
    return Pages.answer(request)
  }
  try install(service)
  let folder = WorkFolder()
  var given = Resources.Options()
  given.cachePath = folder.file("cache.db")
  given.headers = ["Authorization": "none"]
  let kinds = Kinds()
  let resources = try Resources(
    given,
    transform: { resource in
      kinds.add(resource.kind)
      if resource.url.contains("private") { throw NeatlineError(.unsupported, "not for you") }
      resource.url += "?token=SECRET"
      resource.headers["Authorization"] = "Bearer SECRET"
    })
  let (pixel, problems) = try Pages.draw(Pages.options(resources))
  expectEqual(pixel, Pages.red)
  expect(problems.isEmpty, "\(problems)")
  expectEqual(kinds.all, [.style, .geojson])
  // Refused: nobody is asked.
  let count = service.requests.count
  var error = failure {
    _ = try Renderer(styleURL: Pages.host + "/private.json", options: Pages.options(resources))
  }
  expect(error?.status == .unsupported && error?.message.contains("not for you") == true, "\(error as Any)")
  expectEqual(service.requests.count, count)
  // A failure does not tell.
  error = failure {
    _ = try Renderer(styleURL: Pages.host + "/missing.json", options: Pages.options(resources))
  }
  expectEqual(error?.status, .notFound)
  expect(error?.message.contains("SECRET") == false, "\(error as Any)")
  try resources.flushCache()
  for name in folder.names {
    let bytes = Data(folder.read(name))
    expect(bytes.range(of: Data("SECRET".utf8)) == nil, "\(name) has the credentials")
    if name == "cache.db" { expect(!bytes.isEmpty, "nothing is kept") }
  }
  // Without the transform, what is kept is still found by the address of the style.
  try resources.setTransform(nil)
  try resources.setOnline(false)
  expectEqual(try Pages.draw(Pages.options(resources)).pixel, Pages.red)
}

private final class Kinds: @unchecked Sendable {  // behind the lock
  private let lock = NSLock()
  private var kinds: [ResourceKind] = []

  func add(_ kind: ResourceKind) {
    lock.lock()
    kinds.append(kind)
    lock.unlock()
  }

  var all: [ResourceKind] { kinds }
}

/// Without a network the service is not asked.
private func offline() throws {
  let service = ServiceDouble { request, _ in Pages.answer(request) }
  try install(service)
  let resources = try Resources()
  try resources.setOnline(false)
  let error = failure { _ = try Pages.draw(Pages.options(resources)) }
  expectEqual(error?.status, .network)
  expectEqual(service.requests.count, 0)
  try resources.setOnline(true)
  expectEqual(try Pages.draw(Pages.options(resources)).pixel, Pages.red)
}

/// The cache stands above the service.
private func cache() throws {
  let service = ServiceDouble { request, _ in Pages.answer(request) }
  try install(service)
  let folder = WorkFolder()
  var given = Resources.Options()
  given.cachePath = folder.file("cache.db")
  for _ in 0..<2 {
    let resources = try Resources(given)
    expectEqual(try Pages.draw(Pages.options(resources)).pixel, Pages.red)
    try resources.flushCache()
  }
  expectEqual(service.requests.count, 2)
}
