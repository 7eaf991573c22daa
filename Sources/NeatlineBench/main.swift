import Glibc
import Neatline

let workloads = [
  "mvt", "expression", "mesh", "collision", "geojson", "zones", "cluster", "curve", "text", "png", "startup",
  "first", "render", "frame", "edit", "overlay", "cache", "pan", "annotations", "views", "shapes", "edges",
  "raster", "threads", "terrain", "globe", "scale", "limit",
]

let usage = """
  usage: neatline-bench WORKLOAD… [--json FILE] [--data DIR] [--quick]
  Warms up, runs repeatedly, and prints the median with the least and the most. Each workload runs in a process of its own, each style of "render" too, each picture of "first" too.

  workloads: \(workloads.joined(separator: " ")) all
    --json FILE   one array of {workload, case, median, unit, min, max, peak_bytes, allocations}
    --data DIR    the data pack (default: ../shared/data)
    --style NAME  "first", "render", "frame", "threads", "scale" and "limit" take this style (without: all of
                  them, osm-bright, or three cities)
    --threads N   "limit" draws on as many (1)
    --rounds N    "threads" draws each picture as often in each order (5; 3 with --quick), and does not count
                  the first time
    --quick       few and short runs, as a smoke test
    --trace FILE  where time goes in the last workload's process, in Chrome's trace format; nothing of the
                  pictures of "first", which have processes of their own
  peak_bytes is the most memory the process held (VmHWM). allocations are the blocks allocated or moved by one operation: a tile decoded, a feature
  evaluated, an expression compiled, a polygon, a line, a box, a document, a label, a picture; null for another process ("startup"), for one's first
  picture, and where the C library cannot count them.
  """

func fail(_ message: String) -> Never {
  let bytes = Array("neatline-bench: \(message)\n".utf8)
  _ = write(2, bytes, bytes.count)
  exit(2)
}

struct Request {
  var workloads: [String] = []
  var json: String?
  var data = "../shared/data"
  var style: String?
  var trace: String?
  var threads = 1
  var rounds: Int?
  var isQuick = false
  var isChild = false
  /// Whether a child does its work once: a picture of "first".
  var isOnce = false
}

func parse(_ arguments: [String]) -> Request {
  var request = Request()
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
    case "--json": request.json = value()
    case "--data": request.data = value()
    case "--style": request.style = value()
    case "--trace": request.trace = value()
    case "--threads":
      guard let threads = Int(value()), threads > 0 else { fail("--threads needs a number from 1 on") }
      request.threads = threads
    case "--rounds":
      guard let rounds = Int(value()), (2...1000).contains(rounds) else {
        fail("--rounds needs a number from 2 to 1000")
      }
      request.rounds = rounds
    case "--quick": request.isQuick = true
    case "--child": request.isChild = true
    case "--once": request.isOnce = true
    case "--tiles":
      do { try LateTileServer.run(value()) } catch { fail("\(error)") }
    case "all": request.workloads += workloads
    default:
      guard workloads.contains(word) else { fail("unknown workload or option \(word)\n\(usage)") }
      request.workloads.append(word)
    }
  }
  if request.workloads.isEmpty { fail("a workload is needed\n\(usage)") }
  return request
}

func runChild(_ request: Request) throws {
  let bench = Bench(workload: request.workloads[0], data: request.data, isQuick: request.isQuick)
  if let path = request.trace { try Trace.start(path: path) }
  defer { if request.trace != nil { try? Trace.stop() } }
  switch bench.workload {
  case "mvt": try bench.mvt()
  case "expression": try bench.expression()
  case "mesh": try bench.mesh()
  case "collision": try bench.collision()
  case "geojson": try bench.geojson()
  case "zones": try bench.zones()
  case "cluster": try bench.cluster()
  case "curve": try bench.curve()
  case "text": try bench.text()
  case "png": try bench.png()
  case "startup": try bench.startup()
  case "first":
    let style = request.style ?? "osm-bright"
    if request.isOnce { try bench.firstOnce(style: style) } else { try bench.first(style: style) }
  case "frame": try bench.frame(style: request.style ?? "osm-bright")
  case "edit": try bench.edit()
  case "shapes": try bench.shapes()
  case "edges": try bench.edges()
  case "raster": try bench.raster()
  case "threads": try bench.threads(style: request.style ?? "osm-bright", rounds: request.rounds)
  case "terrain": try bench.terrain()
  case "globe": try bench.globe()
  case "scale": try bench.scale(style: request.style)
  case "limit": try bench.limit(style: request.style, threads: request.threads)
  case "overlay": try bench.overlay()
  case "cache": try bench.cache()
  case "pan": try bench.pan()
  case "annotations": try bench.annotations()
  case "views": try bench.viewAnnotations()
  default: try bench.render(style: request.style ?? "osm-bright")
  }
}

func rounded(_ value: Double) -> String {
  if value >= 1000 { return String(Int(value.rounded())) }
  let text = String(Int((value * 100).rounded()))
  let padded = String(repeating: "0", count: max(0, 3 - text.count)) + text
  return padded.dropLast(2) + "." + padded.suffix(2)
}

func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

/// Runs a workload in a process of its own; its figures.
func figures(_ workload: String, _ request: Request, style: String?) throws -> [JSONValue] {
  let path = "/tmp/neatline-bench-\(getpid()).out"
  let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
  guard file >= 0 else { throw BenchError("\(path): \(String(cString: strerror(errno)))") }
  defer {
    close(file)
    unlink(path)
  }
  var words = ["--child", workload, "--data", request.data]
  if let style { words += ["--style", style] }
  if let trace = request.trace { words += ["--trace", trace] }
  if request.threads != 1 { words += ["--threads", "\(request.threads)"] }
  if let rounds = request.rounds { words += ["--rounds", "\(rounds)"] }
  if request.isQuick { words.append("--quick") }
  let status = try Platform.run("/proc/self/exe", words, output: file).status
  let lines = String(decoding: try Platform.read(path), as: UTF8.self).split(separator: "\n")
  let result = lines.compactMap { try? JSONValue(parsing: String($0)) }.filter { $0["workload"] != nil }
  for figure in result {
    func number(_ key: String) -> Double { figure[key]?.number ?? 0 }
    let name = padded(workload, 11) + padded(figure["case"]?.string ?? "", 44)
    print(
      "\(name) \(padded(rounded(number("median")), 12)) \(padded(figure["unit"]?.string ?? "", 12)) \(rounded(number("min"))) to \(rounded(number("max"))), peak \(Int(number("peak_bytes") / 1_048_576)) MiB\(figure["allocations"]?.number.map { ", \(rounded($0)) allocations" } ?? "")"
    )
  }
  if status != 0 {
    throw BenchError("\(workload)\(style.map { " \($0)" } ?? "") failed with status \(status >> 8)")
  }
  return result
}

let request = parse(Array(CommandLine.arguments.dropFirst()))
do {
  if request.isChild {
    try runChild(request)
    exit(0)
  }
  var all: [JSONValue] = []
  var hasFailed = false
  for workload in request.workloads {
    var styles: [String?] = [["frame", "threads", "scale", "limit"].contains(workload) ? request.style : nil]
    if workload == "render" || workload == "first" {
      styles =
        request.style.map { [$0] }
        ?? Platform.list(request.data + "/styles", suffix: ".json").map { String($0.dropLast(5)) }
      if request.isQuick, request.style == nil { styles = ["osm-bright"] }
    }
    for style in styles {
      do { all += try figures(workload, request, style: style) } catch {
        hasFailed = true
        print("\(error)")
      }
    }
  }
  if let path = request.json { try Platform.write(path, JSONValue.array(all).text + "\n") }
  exit(hasFailed ? 1 : 0)
} catch {
  fail("\(error)")
}
