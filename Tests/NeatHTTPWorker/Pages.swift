import Neatline

/// A map on a server that there is not: a red square from GeoJSON.
enum Pages {
  static let host = "https://maps.example"
  static let style = """
    {"version":8,"sources":{"s":{"type":"geojson","data":"\(host)/square.geojson"}},
     "layers":[{"id":"f","type":"fill","source":"s","paint":{"fill-color":"#c00"}}]}
    """
  static let square = """
    {"type":"Polygon","coordinates":[[[-170,-80],[170,-80],[170,80],[-170,80],[-170,-80]]]}
    """

  static func answer(_ request: HttpRequest) -> ServiceDouble.Answer {
    switch request.url.dropFirst(host.count).prefix(while: { $0 != "?" }) {
    case "/style.json":
      .data(200, ["Content-Type": "application/json", "cache-control": "max-age=100"], style)
    case "/square.geojson": .data(200, ["Cache-Control": "max-age=100"], square)
    default: .data(404, [:], "")
    }
  }

  /// The pixel in the middle of a picture of the style; what went wrong.
  static func draw(_ options: Options = options()) throws -> (pixel: [UInt8], problems: [Renderer.Problem]) {
    let renderer = try Renderer(styleURL: host + "/style.json", options: options)
    let image = try renderer.draw(width: 32, height: 32)
    let middle = 4 * (16 * 32 + 16)
    return (Array(image.pixels[middle..<middle + 4]), try renderer.problems)
  }

  static func options(_ resources: Resources? = nil) -> Options {
    var options = Options()
    options.resources = resources
    return options
  }

  static let red: [UInt8] = [204, 0, 0, 255]
}

/// The service of the process is replaced, which must work.
func install(_ service: any HttpServiceInterface) throws {
  try HttpServiceFactory.setUserDefinedForCustom(service).get()
}

nonisolated(unsafe) private var faultCount = 0

func expect(_ isTrue: Bool, _ words: @autoclosure () -> String, line: Int = #line) {
  if isTrue { return }
  faultCount += 1
  print("line \(line): \(words())")
}

func expectEqual<T: Equatable>(_ found: T, _ wanted: T, line: Int = #line) {
  expect(found == wanted, "\(found) is not \(wanted)", line: line)
}

/// What a call throws; nil and a fault where it does not.
func failure(line: Int = #line, _ body: () throws -> Void) -> NeatlineError? {
  do {
    try body()
    expect(false, "nothing is thrown", line: line)
  } catch let error as NeatlineError { return error } catch { expect(false, "\(error)", line: line) }
  return nil
}

var isPassed: Bool { faultCount == 0 }
