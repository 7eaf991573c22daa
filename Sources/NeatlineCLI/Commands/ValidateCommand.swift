import Neatline

/// `neatline validate`: what the specification has against a style.
enum ValidateCommand {
  static let entry = CommandEntry(
    name: "validate", summary: "what the specification has against a style", forms: ["STYLE"],
    options: [OptionEntry("--json", "a list of {\"message\", \"line\", \"severity\"}")],
    example: "neatline validate style.json",
    notes: "Exit status 1 where there are errors; warnings alone are 0.", run: run)

  private static func run(_ options: Arguments) throws {
    let path = try options.only("STYLE")
    try StyleOptions.check(path)
    let text = String(decoding: try Platform.readFile(path), as: UTF8.self)
    let messages: [StyleMessage]
    do { messages = try validateStyle(text) } catch { throw FileError(path: path, reason: "\(error)") }
    if options.has("--json") {
      Console.out(JSONValue.array(messages.map(\.json)).text)
    } else {
      for message in messages {
        let text = "\(path):\(message.line.map { "\($0): " } ?? " ")\(message.message)"
        if message.isWarning { Console.warning(text) } else { Console.error(text) }
      }
    }
    let errors = messages.filter { !$0.isWarning }.count
    if !options.has("--json") {
      Console.out(errors == 0 ? "\(path): valid" : "\(path): \(errors) error\(errors == 1 ? "" : "s")")
    }
    if errors > 0 { exitProcess(1) }
  }
}
