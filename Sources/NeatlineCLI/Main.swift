import Neatline

/// The command line: reads the command and hands over.
@main
struct Command {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      try run(arguments)
    } catch let error as UsageError {
      Console.error(error.message)
      exitProcess(2)
    } catch let error as IncompleteError {
      Console.error("\(error)")
      exitProcess(3)
    } catch let error as IncompleteRegion {
      Console.error("\(error)")
      exitProcess(3)
    } catch {
      Console.error("\(error)")
      exitProcess(1)
    }
    exitProcess(0)
  }

  private static let commands = [
    RenderCommand.entry, ServeCommand.entry, InspectCommand.entry, ValidateCommand.entry,
    ConvertCommand.entry, ExtractCommand.entry,
    TileCommand.entry, PyramidCommand.entry, OfflineCommand.entry, ControlCommand.entry,
  ]

  private static func run(_ arguments: [String]) throws {
    guard let name = arguments.first else { throw UsageError(message: overview) }
    let rest = Array(arguments.dropFirst())
    switch name {
    case "version", "--version": return Console.out("neatline \(engineVersion) (ABI \(abiVersion))")
    case "help", "--help", "-h": return Console.out(try rest.first.map { try command($0).help } ?? overview)
    default: break
    }
    let entry = try command(name)
    // Reads its arguments itself.
    if entry.name == PyramidCommand.entry.name, rest.first.map({ $0 != "--help" && $0 != "-h" }) ?? false {
      return try PythonProgram.run(name, rest)
    }
    if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
      return Console.out(entry.help)
    }
    if entry.name == TileCommand.entry.name, TileCommand.needsPython(rest) {
      return try PythonProgram.run(name, rest)
    }
    try entry.run(try Arguments(rest, of: entry))
  }

  private static func command(_ name: String) throws -> CommandEntry {
    if let command = commands.first(where: { $0.name == name }) { return command }
    let meant = nearestName(name, among: commands.map(\.name)).map { "; did you mean \"\($0)\"?" } ?? ""
    throw UsageError(message: "unknown command \"\(name)\"\(meant)\n\n\(overview)")
  }

  private static var overview: String {
    let width = commands.map(\.name.count).max() ?? 0
    let lines = commands.map {
      "  \($0.name)\(String(repeating: " ", count: width - $0.name.count))  \($0.summary)"
    }
    return """
      neatline: maps from MapLibre styles, without GPU or display

      \(lines.joined(separator: "\n"))

      neatline help COMMAND   options, defaults and an example
      neatline version

      Exit status: 0 done, 1 failed, 2 wrong arguments, 3 not complete (render --strict, offline).
      """
  }
}

/// Arguments that do not fit: exit status 2.
struct UsageError: Error {
  let message: String
}
