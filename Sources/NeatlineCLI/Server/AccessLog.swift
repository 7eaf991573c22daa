import Neatline

/// One line a request, on standard output or not at all. Any thread: lines are handed to one that writes them,
/// so that nobody waits for whoever reads them. Past `limit` bytes that nobody took, lines are counted and
/// dropped.
final class AccessLog: @unchecked Sendable {  // everything that changes is under `lock`
  enum Kind: String, Sendable, CaseIterable { case off, text, json }

  private let kind: Kind
  private let lock = Lock()
  private var lines = ""
  private var dropped = 0
  private static let limit = 1 << 20

  init(_ kind: Kind) throws {
    self.kind = kind
    guard kind != .off else { return }
    try Platform.startThread { [self] in
      while true {
        Platform.sleep(milliseconds: 100)
        flush()
      }
    }
  }

  func note(_ record: RequestRecord) {
    guard kind != .off else { return }
    let line = (kind == .text ? AccessLog.text(record) : AccessLog.json(record)) + "\n"
    lock.locked {
      if lines.utf8.count < AccessLog.limit { lines += line } else { dropped += 1 }
    }
  }

  func flush() {
    let (text, lost) = lock.locked {
      defer { (lines, dropped) = ("", 0) }
      return (lines, dropped)
    }
    if !text.isEmpty { Console.raw(text) }
    if lost > 0 { Console.warning("\(lost) lines of the access log were dropped: nobody read them in time") }
  }

  /// The Combined Log Format, with the milliseconds behind it.
  private static func text(_ record: RequestRecord) -> String {
    let request = record.request
    return
      "\(request.peer) - - [\(Platform.logDate)] \"\(quoted(request.method)) \(quoted(request.target)) \(quoted(request.version))\""
      + " \(record.status) \(record.bytes) \"\(quoted(request.fields["referer"] ?? "-"))\""
      + " \"\(quoted(request.fields["user-agent"] ?? "-"))\" \(record.milliseconds)"
  }

  private static func json(_ record: RequestRecord) -> String {
    let request = record.request
    let line = JSONValue.members([
      "time": .string(Platform.isoDate), "peer": .string(request.peer), "method": .string(request.method),
      "target": .string(request.target), "route": .string(record.route),
      "status": .number(Double(record.status)), "bytes": .number(Double(record.bytes)),
      "milliseconds": .number(Double(record.milliseconds)),
      "referer": .string(request.fields["referer"] ?? ""),
      "agent": .string(request.fields["user-agent"] ?? ""),
    ]).text
    guard line.unicodeScalars.contains(where: isHidden) else { return line }
    var result = ""
    for scalar in line.unicodeScalars {
      // Only within strings.
      if isHidden(scalar) { result += escape(scalar) } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// What a screen or a reader of lines takes for a command: controls, ends of lines as Unicode has them, and
  /// what turns text around.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\0"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{2028}"..."\u{202e}", "\u{2066}"..."\u{2069}": true
    default: false
    }
  }

  /// What a client sends cannot begin a line of its own, nor end a quotation.
  private static func quoted(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case let other where other.value < 256 && isHidden(other):
        result += "\\x" + (other.value < 16 ? "0" : "") + String(other.value, radix: 16)
      case let other where isHidden(other): result += escape(other)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
