import Glibc
import Neatline

let usage = """
  usage: neatline-conformance SUITE DIRECTORY [options]
  Runs a public conformance suite and prints a line per failing case; the last line is "N passed, M failed".

  suites: render query expression style-validation symbol-shaping mvt mlt earcut geojson-vt supercluster pmtiles pixelmatch camera turf
    --assets DIR     what the styles load (default: DIRECTORY/../assets)
    --filter TEXT    only cases whose names hold TEXT
    --jobs N         cases at a time, for render and query (default: number of processors)
    --report DIR     writes DIR/index.html with expected, actual and difference
    --known FILE     lines "case<TAB>reason" that are expected to fail; others are errors, and so is one of these that passes
    --update-known   writes FILE anew
  exit status: 0 all as expected, 1 not, 2 usage
  """

func fail(_ message: String) -> Never {
  let bytes = Array("neatline-conformance: \(message)\n".utf8)
  _ = write(2, bytes, bytes.count)
  exit(2)
}

func parse(_ arguments: [String]) -> Setting {
  var setting = Setting()
  setting.jobs = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  var words: [String] = []
  var rest = arguments[...]
  while let word = rest.popFirst() {
    func value() -> String {
      guard let value = rest.popFirst() else { fail("\(word) needs a value") }
      return value
    }
    switch word {
    case "--help", "-h":
      print(usage)
      exit(0)
    case "--assets": setting.assets = Files.absolute(value())
    case "--filter": setting.filter = value()
    case "--jobs":
      guard let jobs = Int(value()), jobs > 0, jobs <= 256 else {
        fail("--jobs takes a number within 1...256")
      }
      setting.jobs = jobs
    case "--report": setting.report = value()
    case "--known": setting.known = value()
    case "--update-known": setting.updatesKnown = true
    case "--worker": setting.worker = value()
    default:
      if word.hasPrefix("--") { fail("unknown option \(word)") }
      words.append(word)
    }
  }
  if setting.updatesKnown, setting.filter != nil || setting.known == nil {
    fail("--update-known goes with --known and without --filter")
  }
  guard words.count == 2 else { fail("a suite and its directory are needed\n\(usage)") }
  setting.suite = words[0]
  guard Files.isFolder(words[1]) else { fail("\(words[1]) is no directory") }
  setting.directory = Files.absolute(words[1])
  if setting.assets.isEmpty { setting.assets = Files.absolute(setting.directory + "/../assets") }
  return setting
}

let setting = parse(Array(CommandLine.arguments.dropFirst()))
if let name = setting.worker {
  WorkerPool.answer(
    setting.suite == "query" ? QueryCase.outcome(name, setting) : RenderCase.outcome(name, setting))
}
do {
  let outcomes = try Suite.run(setting)
  if let report = setting.report { try Report.write(outcomes, setting.suite, to: report) }
  exit(try Verdict.print(outcomes, setting))
} catch {
  fail("\(error)")
}
