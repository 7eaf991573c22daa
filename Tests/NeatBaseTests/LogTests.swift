import Testing

@testable import NeatBase

/// The log of the process: one listener, so one test after the other.
@Suite(.serialized) struct LogTests {
  /// What a listener heard. Other tests of the process write to the log too: those here begin with a mark.
  private final class Heard: Sendable {
    private let list = Locked<[LogMessage]>([])
    func add(_ message: LogMessage) { list.withLock { $0.append(message) } }
    var all: [LogMessage] { list.withLock { $0 } }
    var messages: [LogMessage] { all.filter { $0.text.hasPrefix(LogTests.mark) } }
    var texts: [String] { messages.map { String($0.text.dropFirst(LogTests.mark.count)) } }
  }

  private static let mark = "log test: "

  private func write(_ level: LogLevel, _ category: LogCategory, _ text: String) {
    Log.write(level, category, LogTests.mark + text)
  }

  @Test func messagesComeInOrderFromALevelOn() {
    let heard = Heard()
    Log.listen(from: .info) { heard.add($0) }
    let before = SystemClock.microseconds
    for number in 0..<100 {
      write(.debug, .map, "not heard")
      write(number % 2 == 0 ? .info : .error, .cache, "\(number)")
    }
    Log.listen(nil)
    #expect(heard.texts == (0..<100).map { "\($0)" }, "all are told when listening ends")
    #expect(heard.messages.allSatisfy { $0.category == .cache && $0.time >= before })
    #expect(heard.messages.map(\.level).prefix(2) == [.info, .error])
  }

  @Test func whereNobodyListensNoTextIsMade() {
    Log.listen(nil)
    var count = 0
    func text() -> String {
      count += 1
      return ""
    }
    Log.write(.error, .map, text())
    #expect(count == 0 && !Log.isHeard(.error))
    Log.listen(from: .error) { _ in }
    Log.write(.warning, .map, text())
    #expect(count == 0)
    Log.write(.error, .map, text())
    #expect(count == 1)
    Log.listen(nil)
  }

  @Test func credentialsAreTakenOut() {
    let heard = Heard()
    Log.listen { heard.add($0) }
    write(.info, .request, "tile http://u:p@a.test/1?access_token=x&b=1: gone")
    Log.listen(nil)
    #expect(heard.texts == ["tile http://a.test/1?b=1: gone"])
  }

  @Test func theOneBeforeIsNotCalledAnyMore() {
    let (first, second) = (Heard(), Heard())
    Log.listen { first.add($0) }
    write(.info, .map, "a")
    Log.listen { second.add($0) }
    #expect(first.texts == ["a"])
    write(.info, .map, "b")
    Log.listen(nil)
    write(.info, .map, "c")
    #expect(first.texts == ["a"] && second.texts == ["b"])
  }

  /// A listener may write, and may end or replace itself.
  @Test func aListenerMayUseTheLog() {
    let heard = Heard()
    Log.listen { message in
      heard.add(message)
      if message.text == LogTests.mark + "a" { Log.write(.info, .map, LogTests.mark + "from within") }
      if message.text == LogTests.mark + "from within" { Log.listen { heard.add($0) } }
    }
    write(.info, .map, "a")
    while !heard.texts.contains("from within") { usleep(500) }
    usleep(20_000)
    write(.info, .map, "to the next")
    Log.listen(nil)
    #expect(heard.texts == ["a", "from within", "to the next"])
  }

  @Test func threadsMayWriteWhileListenersChange() {
    final class Writers: Sendable {
      let left = Locked(4)
    }
    let writers = Writers()
    for _ in 0..<4 {
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { context in
          for number in 0..<2000 { Log.write(.info, .map, "\(number)") }
          Unmanaged<Writers>.fromOpaque(context!).takeRetainedValue().left.withLock { $0 -= 1 }
          return nil
        }, Unmanaged.passRetained(writers).toOpaque())
      pthread_detach(thread)
    }
    let heard = Heard()
    while writers.left.withLock({ $0 }) > 0 { Log.listen { heard.add($0) } }
    Log.listen(nil)
    let count = heard.all.count
    usleep(20_000)
    #expect(heard.all.count == count)
  }

  @Test func aListenerThatIsTooSlowHearsHowManyItMissed() {
    let heard = Heard()
    let isOpen = Locked(false)
    let hasBegun = Locked(false)
    Log.listen { message in
      hasBegun.withLock { $0 = true }
      while !isOpen.withLock({ $0 }) { usleep(500) }
      heard.add(message)
    }
    // The listener holds one message, and as many more as came before it, until the others are written.
    Log.write(.info, .map, "first")
    while !hasBegun.withLock({ $0 }) { usleep(500) }
    for number in 0..<6000 { Log.write(.info, .map, "\(number)") }
    isOpen.withLock { $0 = true }
    Log.listen(nil)
    let missed = heard.all.filter { $0.text.hasSuffix("are lost") }
    #expect(missed.count == 1 && missed[0].level == .warning)
    let number = missed.first?.text.split(separator: " ").first.flatMap { Int($0) } ?? 0
    #expect(number > 1000 && number + heard.all.count - 1 >= 6000)
  }
}

@Suite struct CredentialTests {
  @Test(arguments: [
    ("http://u:p@host/a", "http://host/a"),
    ("https://u@host:81/a?b=1", "https://host:81/a?b=1"),
    ("https://u:p@ss@host/a", "https://host/a"),
    ("pmtiles://https://u:p@host/a.pmtiles", "pmtiles://https://host/a.pmtiles"),
    ("https://h/a?access_token=x", "https://h/a"),
    ("https://h/a?b=1&ACCESS_TOKEN=x&c=2", "https://h/a?b=1&c=2"),
    ("https://h/a?key=x&api_key=x&apikey=x&token=x&keys=1", "https://h/a?keys=1"),
    ("https://h/a?access%5Ftoken=x&b=1", "https://h/a?b=1"),
    ("https://h/a?b=1#access_token=x", "https://h/a?b=1"),
    ("https://h/a?b=u@host", "https://h/a?b=u@host"),
    ("https://h/u:p@x/a", "https://h/u:p@x/a"),
    ("https://h?token=x", "https://h"),
    ("https://h/a?token", "https://h/a"),
    ("mapbox://styles/a/b?access_token=x", "mapbox://styles/a/b"),
    ("/path/to?token=x", "/path/to?token=x"),
    ("data:application/json,{%22token=1%22}", "data:application/json,{%22token=1%22}"),
    ("", ""), ("://", "://"), ("a:", "a:"), ("http://", "http://"), ("http://@", "http://"),
    ("https://h/a?%", "https://h/a?%"), ("https://h/{z}/{x}?token=x", "https://h/{z}/{x}"),
  ])
  func addressesLoseTheirCredentials(_ address: String, _ expected: String) {
    #expect(Address.withoutCredentials(address) == expected)
  }

  @Test func soDoNamesThatTheHostGives() {
    let address = "https://h/a?my%2Dcredential-of-a-test=x&b=1"
    #expect(Address.withoutCredentials(address) == address)
    Address.hide(members: ["My-Credential-of-a-Test", ""])
    #expect(Address.withoutCredentials(address) == "https://h/a?b=1")
    #expect(Address.withoutCredentials("https://h/a?=1") == "https://h/a?=1")
  }

  @Test func textsLoseThemToo() {
    #expect(
      Address.withoutCredentials(
        inText: "no answer from \"http://u:p@h/a?token=x\" (http://h/b?key=1&z=2), u:p")
        == "no answer from \"http://h/a\" (http://h/b?z=2), u:p")
    #expect(Address.withoutCredentials(inText: "nothing: here") == "nothing: here")
  }
}
