import Glibc

/// Where the suite and what it needs lie, and how it is run.
struct Setting {
  var suite = ""
  var directory = ""
  var assets = ""
  var filter: String?
  var jobs = 2
  var report: String?
  var known: String?
  var updatesKnown = false
  /// Hidden: the one case to run as a worker.
  var worker: String?
}

/// One case of a suite; running it throws what is wrong.
struct Case {
  var name: String
  var run: () throws -> Void
}

struct Outcome {
  var name: String
  /// nil: passed.
  var reason: String?
  /// Whether a blank picture would pass too.
  var blankPasses = false
  /// Files of the report, within its folder.
  var pictures: [String] = []
}

enum Suite {
  /// The suites whose cases run in this process.
  static var plain: [String: (Setting) throws -> [Case]] {
    [
      "expression": ExpressionSuite.cases, "style-validation": ValidationSuite.cases,
      "symbol-shaping": ShapingSuite.cases,
      "mvt": MVTSuite.cases, "mlt": MLTSuite.cases, "earcut": EarcutSuite.cases,
      "geojson-vt": GeoJSONVTSuite.cases,
      "supercluster": SuperclusterSuite.cases, "pmtiles": PMTilesSuite.cases,
      "pixelmatch": PixelmatchSuite.cases, "camera": CameraSuite.cases, "turf": TurfSuite.cases,
    ]
  }

  /// Names of the cases of a suite whose cases run in processes of their own.
  static func workerCases(_ setting: Setting) -> [String] {
    Files.folders(holding: "style.json", below: setting.directory)
  }

  static func run(_ setting: Setting) throws -> [Outcome] {
    func isWanted(_ name: String) -> Bool { setting.filter.map { name.contains($0) } ?? true }
    if setting.suite == "render" || setting.suite == "query" {
      return WorkerPool(setting).run(workerCases(setting).filter(isWanted))
    }
    guard let cases = plain[setting.suite] else { throw Failure("no suite is called \"\(setting.suite)\"") }
    return try cases(setting).filter { isWanted($0.name) }.map { one in
      do {
        try one.run()
        return Outcome(name: one.name)
      } catch {
        return Outcome(name: one.name, reason: oneLine("\(error)"))
      }
    }
  }
}

func oneLine(_ text: String) -> String {
  let flat = text.split(whereSeparator: { $0 == "\n" || $0 == "\t" || $0 == "\r" }).joined(separator: " ")
  return flat.count > 400 ? flat.prefix(397) + "..." : flat
}
