import CNeatline

/// What the library has to say, of all maps, renderers and caches of the process. The library itself writes to no
/// stream.
public struct LogMessage: Hashable, Sendable, CustomStringConvertible {
  /// How much a message matters.
  public enum Level: UInt32, Hashable, Sendable, Comparable, CaseIterable {
    /// What goes as it should: each request with its answer.
    case debug = 1
    /// What may pass: requests that failed, tries that follow.
    case info
    /// What a map or picture lacks; a cache that was begun anew.
    case warning
    /// What cannot be had at all: a style.
    case error

    /// By how much they matter.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// How much it matters.
  public var level: Level
  /// What it is about: `style`, `sprite`, `source`, `tile`, `glyphs`, `request`, `network`, `cache` or `map`.
  public var category: String
  /// What there is to say, without credentials.
  public var text: String
  /// When, in microseconds since 1970.
  public var time: Int64

  /// Level, category and text.
  public var description: String { "\(level) \(category): \(text)" }
}

/// Has messages of a level and above told to `handler`, in place of the one before; nil: to nobody. It is called
/// with one message after the other, on a thread of the library's own, and may call anything. When this returns,
/// the one before has heard what was written until now and is not called any more, unless it is itself what calls
/// this. Handlers are kept for good. Any thread.
public func setLogHandler(
  from level: LogMessage.Level = .info, _ handler: (@Sendable (LogMessage) -> Void)?
) {
  let next = handler.map { Unmanaged.passRetained(LogHandler($0)) }
  _ = neat_set_log_callback(
    neat_log_level(rawValue: level.rawValue),
    next == nil
      ? nil
      : { context, message in
        guard let context, let message = message?.pointee else { return }
        Unmanaged<LogHandler>.fromOpaque(context).takeUnretainedValue().tell(message)
      }, next?.toOpaque())
}

private final class LogHandler: Sendable {
  private let body: @Sendable (LogMessage) -> Void
  init(_ body: @escaping @Sendable (LogMessage) -> Void) { self.body = body }

  func tell(_ message: neat_log_message) {
    body(
      LogMessage(
        level: LogMessage.Level(rawValue: message.level.rawValue) ?? .info,
        category: message.category.map { String(cString: $0) } ?? "",
        text: message.text.map { String(cString: $0) } ?? "", time: message.time_us))
  }
}
