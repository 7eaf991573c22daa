import Neatline

/// `neatline control`: speaks to a server that runs on this machine.
enum ControlCommand {
  static let entry = CommandEntry(
    name: "control",
    summary: "purges the cache of a server that runs, loads its styles anew, or asks how it is",
    forms: ["SOCKET status", "SOCKET reload", "SOCKET purge"],
    options: [
      OptionEntry("--style", "ID", "purge: of this style", standard: "of all"),
      OptionEntry("--zoom", "Z|A-B", "purge: tiles of these zooms", standard: "all"),
      OptionEntry("--bbox", "W,S,E,N", "purge: tiles that meet this box of degrees", standard: "everywhere"),
      OptionEntry("--drop", "purge: do not give out the old ones while the new are drawn"),
      OptionEntry("--timeout", "MS", "for the answer", standard: "60000"),
    ],
    example: "neatline control /run/neatline/control purge --style basic --zoom 10-14 --bbox 11,47,12,48",
    notes: """
      SOCKET is that of `neatline serve --control SOCKET`. The answer is a line of JSON on standard output.
      Pictures that are no tiles may show any place: a purge takes them whatever --zoom and --bbox say.
      """, run: run)

  private static func run(_ options: Arguments) throws {
    guard let path = options.positional.first else { throw UsageError(message: "SOCKET is missing") }
    guard options.positional.count == 2 else {
      throw UsageError(message: "one of status, reload and purge goes with SOCKET")
    }
    var words = [options.positional[1]]
    for (option, name) in [("--style", "style"), ("--zoom", "zooms"), ("--bbox", "bbox")] {
      if let text = options.text(option) { words.append("\(name)=\(escaped(text))") }
    }
    if options.has("--drop") { words.append("drop=1") }
    let connection = try UnixSocket.connect(path)
    defer { Platform.close(connection) }
    try UnixSocket.limit(connection, try options.integer("--timeout", in: 1...86_400_000) ?? 60000)
    // A server that takes a part alone does not answer.
    UnixSocket.write(connection, line: words.joined(separator: " "))
    guard let line = UnixSocket.readLine(connection) else {
      throw FileError(path: path, reason: "the server does not answer")
    }
    let answer = try? JSONValue(parsing: line)
    if let error = answer?["error"]?.string { throw FileError(path: path, reason: error) }
    Console.out(line)
  }
}
