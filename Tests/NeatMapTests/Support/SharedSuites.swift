import NeatBase
import NeatCamera
import NeatJSON
import NeatMap
import NeatStyle
import NeatTestSupport

/// Where the public suites lie, beside the package; nil where they are not there.
enum SharedSuites {
  static let root = SharedFiles.root

  /// Names in a folder, sorted.
  static func list(_ folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// `local://X` is the suite's asset X; anything else is missing.
  static func client() -> ResourceClient {
    let assets = (root ?? "") + "/conformance/assets/"
    return ResourceClient { requests in
      requests.map { request in
        let prefix = "local://"
        guard request.url.hasPrefix(prefix) else { return .missing }
        let path = request.url.dropFirst(prefix.count).prefix { $0 != "?" }
        return SharedFiles.read(assets + path).map { .data($0) } ?? .missing
      }
    }
  }
}

/// A map of a suite's case, at the place its style asks for.
struct SuiteMap {
  let core: MapCore
  let test: JSON
  var camera: Camera
  let size: ViewSize

  init(_ json: JSON) throws {
    test = json["metadata"]?["test"] ?? .object([])
    var options = MapCore.Options()
    options.pixelRatio = test["pixelRatio"]?.number ?? 1
    core = MapCore(style: try Style(json: json), base: "local://", options: options)
    camera = core.styleCamera
    size = ViewSize(
      width: Int(bounded: test["width"]?.number ?? 512), height: Int(bounded: test["height"]?.number ?? 512),
      pixelRatio: options.pixelRatio
    )
  }

  var transform: Transform { get throws(NeatError) { try core.transform(camera, size) } }

  func load() throws { try core.load(try transform, client: SharedSuites.client(), executor: .inline) }

  mutating func run(_ operation: JSON) throws {
    let name = operation[0]?.string ?? ""
    switch name {
    case "wait", "idle": try load()
    case "setFeatureState": try core.setFeatureState(operation[1]!, operation[2]!)
    case "removeFeatureState": try core.removeFeatureState(operation[1]!, member: operation[2]?.string)
    case "setGlobalStateProperty": try core.setGlobalState(operation[1]!.string!, operation[2]!)
    case "setCenter": camera.center = LonLat(operation[1]![0]!.number!, operation[1]![1]!.number!)
    case "setZoom": camera.zoom = operation[1]!.number!
    case "setBearing": camera.bearing = operation[1]!.number!
    case "setPitch": camera.pitch = operation[1]!.number!
    default: break
    }
  }
}
