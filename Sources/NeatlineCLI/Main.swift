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
    } catch {
      Console.error("\(error)")
      exitProcess(1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    guard let command = arguments.first else { throw UsageError(message: Usage.text) }
    let rest = Array(arguments.dropFirst())
    if rest.contains("--help") || rest.contains("-h") { return Console.out(Usage.text) }
    switch command {
    case "render": try RenderCommand.run(rest)
    case "serve": try ServeCommand.run(rest)
    case "inspect": try InspectCommand.run(rest)
    case "convert": try ConvertCommand.run(rest)
    case "extract": try ExtractCommand.run(rest)
    case "tile": try TileCommand.run(rest)
    case "validate": try ValidateCommand.run(rest)
    case "version", "--version": Console.out("neatline \(engineVersion) (ABI \(abiVersion))")
    case "help", "--help", "-h": Console.out(Usage.text)
    default: throw UsageError(message: "unknown command \"\(command)\"\n\n\(Usage.text)")
    }
  }
}

/// Arguments that do not fit: exit status 2.
struct UsageError: Error {
  let message: String
}

enum Usage {
  static let text = """
    neatline: maps from MapLibre styles, without GPU or display

      neatline render STYLE -o OUT.png [--center LON,LAT] [--zoom Z] [--bearing B] [--pitch P]
                      [--size WxH] [--ratio R] [--threads N] [--timeout MS] [--strict] [TRUST]
      neatline serve STYLE [--port N] [--host ADDRESS] [--threads N] [TRUST]
      neatline inspect TILE|ARCHIVE|STYLE [--json] [--tile Z/X/Y]
      neatline inspect --expression JSON [--property NAME] | --filter JSON
      neatline validate STYLE [--json]
      neatline convert ARCHIVE OUT.pmtiles|OUT.mbtiles [WRITING]
      neatline convert STYLE OUT.json             legacy filters and functions become expressions
      neatline extract ARCHIVE OUT [--bbox W,S,E,N] [--zoom MIN-MAX] [WRITING]
      neatline tile GEOJSON... OUT [--zoom MIN-MAX] [--layer NAME]... [--buffer UNITS] [--tolerance UNITS]
                      [--extent UNITS] [--generate-id] [--promote-id NAME] [--line-metrics]
                      [--name TEXT] [--attribution TEXT] [--description TEXT] [WRITING]
      neatline version

    TRUST: [--font FILE]... [--no-system-fonts] [--local-files allow|deny]
    WRITING: [--format pmtiles|mbtiles] [--plain] [--max-tiles N] [--restart] [--json]
    ARCHIVE is an MBTiles or PMTiles file, or the address of PMTiles on a server. What is interrupted leaves OUT as it
    was and OUT.partial, which the same command continues, unless --restart is given.

    Exit status: 0 done, 1 failed, 2 wrong arguments, 3 drawn and not complete (--strict). STYLE is a file; for render and serve also an address.
    """
}
