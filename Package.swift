// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

func system(_ name: String, _ pkgConfig: String, _ package: String) -> Target {
  .systemLibrary(name: name, path: "System/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

func core(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
  name: "neatline",
  products: [
    .library(name: "Neatline", targets: ["Neatline"]),
    .library(name: "NeatlineFoundation", targets: ["NeatlineFoundation"]),
    .executable(name: "neatline", targets: ["NeatlineCLI"]),
    .executable(name: "neatline-bench", targets: ["NeatlineBench"]),
    .executable(name: "neatline-conformance", targets: ["NeatlineConformance"]),
  ],
  targets: [
    system("CZlib", "zlib", "zlib1g-dev"),
    system("CDeflate", "libdeflate", "libdeflate-dev"),
    system("CZstd", "libzstd", "libzstd-dev"),
    system("CBrotli", "libbrotlidec", "libbrotli-dev"),
    system("CFreeType", "freetype2", "libfreetype-dev"),
    system("CHarfBuzz", "harfbuzz", "libharfbuzz-dev"),
    system("CFriBidi", "fribidi", "libfribidi-dev"),
    system("CICU", "icu-i18n", "libicu-dev"),
    system("CSpng", "spng", "libspng-dev"),
    system("CTurboJPEG", "libturbojpeg", "libturbojpeg0-dev"),
    system("CWebP", "libwebp", "libwebp-dev"),
    system("CSQLite", "sqlite3", "libsqlite3-dev"),
    system("CUV", "libuv", "libuv1-dev"),
    system("CMicroHTTPD", "libmicrohttpd", "libmicrohttpd-dev"),
    .systemLibrary(name: "CNeatline", path: "include"),

    .systemLibrary(name: "CNumber", path: "System/CNumber"),
    .target(name: "CInternational", dependencies: ["CICU"]),
    .target(name: "CFork"),
    .target(name: "CStack"),
    // Memory that is held back for allocations that the system refuses.
    .target(name: "CReserve"),
    // Loads libcurl (libcurl4-openssl-dev has its header) when a server is first asked; nothing links it.
    .target(name: "CCurl"),
    core("NeatBase", ["CNumber", "CFork", "CReserve", "CStack"]),
    core("NeatJSON", ["NeatBase"]),
    core("NeatShape", ["NeatBase"]),
    core("NeatTile", ["NeatBase", "NeatJSON", "CZlib", "CDeflate", "CZstd", "CBrotli"]),
    core("NeatMesh", ["NeatBase"]),
    core("NeatStyle", ["NeatBase", "NeatJSON", "NeatTile", "CInternational"]),
    core("NeatFormat", ["NeatBase", "NeatJSON", "NeatStyle"]),
    core("NeatText", ["NeatBase", "CFreeType", "CHarfBuzz", "CFriBidi", "CInternational"]),
    core("NeatPlacement", ["NeatBase"]),
    core("NeatRaster", ["NeatBase"]),
    core("NeatImage", ["NeatBase", "CDeflate", "CSpng", "CTurboJPEG", "CWebP"]),
    core("NeatCamera", ["NeatBase"]),
    core("NeatLayout", ["NeatBase", "NeatTile", "NeatStyle", "NeatText", "NeatMesh", "NeatPlacement"]),
    core(
      "NeatMap",
      [
        "NeatBase", "NeatJSON", "NeatTile", "NeatMesh", "NeatStyle", "NeatText", "NeatPlacement",
        "NeatRaster",
        "NeatImage", "NeatCamera", "NeatLayout",
      ]),
    core("NeatStore", ["NeatBase", "NeatJSON", "NeatTile", "CSQLite"]),
    core("NeatLoop", ["NeatBase", "CUV"]),
    core("NeatNetwork", ["NeatBase", "NeatLoop", "CUV", "CCurl"]),
    core(
      "NeatResource",
      [
        "NeatBase", "NeatJSON", "NeatTile", "NeatStyle", "NeatImage", "NeatStore", "NeatLoop", "NeatNetwork",
      ]),
    core(
      "NeatLive",
      [
        "NeatBase", "NeatJSON", "NeatTile", "NeatStyle", "NeatText", "NeatRaster", "NeatImage", "NeatCamera",
        "NeatMap", "NeatStore", "NeatLoop", "NeatNetwork", "NeatResource",
      ]),
    core(
      "NeatABI",
      [
        "NeatBase", "NeatJSON", "NeatShape", "NeatTile", "NeatMesh", "NeatStyle", "NeatFormat", "NeatText",
        "NeatPlacement",
        "NeatRaster", "NeatImage", "NeatCamera", "NeatMap", "NeatStore", "NeatLoop", "NeatNetwork",
        "NeatResource", "NeatLive", "CNeatline",
      ]),
    core("Neatline", ["CNeatline", "NeatABI"]),
    core("NeatlineFoundation", ["Neatline"]),
    .executableTarget(
      name: "NeatlineCLI", dependencies: ["Neatline", "NeatlineRemote", "CDeflate", "CMicroHTTPD"],
      swiftSettings: strict),
    core("NeatlineRemote", []),
    .target(name: "CAllocationCount"),
    core("ExpressionOracle", ["Neatline"]),
    .executableTarget(
      name: "NeatlineBench",
      dependencies: ["Neatline", "NeatRaster", "CAllocationCount", "ExpressionOracle"],
      swiftSettings: strict),
    .executableTarget(name: "NeatlineConformance", dependencies: ["Neatline"], swiftSettings: strict),

    .executableTarget(
      name: "Earthquakes", dependencies: ["Neatline"], path: "Examples/swift/Earthquakes",
      swiftSettings: strict),

    tests("NeatBaseTests", ["NeatBase", "CReserve", "NeatTestSupport"]),
    tests("NeatJSONTests", ["NeatJSON", "NeatBase"]),
    tests("NeatShapeTests", ["NeatShape", "NeatBase", "NeatTestSupport"]),
    tests("NeatTileTests", ["NeatTile", "NeatBase", "NeatJSON", "NeatTestSupport"]),
    tests("NeatMeshTests", ["NeatMesh", "NeatBase", "NeatJSON", "NeatTestSupport"]),
    tests("NeatStyleTests", ["NeatStyle", "NeatBase", "NeatJSON", "NeatTile", "NeatTestSupport"]),
    tests(
      "NeatFormatTests", ["NeatFormat", "NeatStyle", "NeatBase", "NeatJSON", "NeatTile", "NeatTestSupport"]),
    tests("NeatTextTests", ["NeatText", "NeatBase", "NeatJSON", "NeatTestSupport"]),
    tests("NeatPlacementTests", ["NeatPlacement", "NeatBase", "NeatTestSupport"]),
    tests("NeatRasterTests", ["NeatRaster", "NeatBase"]),
    tests("NeatImageTests", ["NeatImage", "NeatBase", "NeatTestSupport"]),
    tests("NeatCameraTests", ["NeatCamera", "NeatBase", "NeatJSON", "NeatTestSupport"]),
    tests(
      "NeatLayoutTests",
      ["NeatLayout", "NeatBase", "NeatJSON", "NeatTile", "NeatStyle", "NeatText", "NeatPlacement"]),
    tests(
      "NeatMapTests",
      [
        "NeatMap", "NeatABI", "NeatTestSupport", "NeatBase", "NeatJSON", "NeatTile", "NeatStyle", "NeatText",
        "NeatRaster", "NeatImage",
        "NeatCamera", "NeatLayout",
      ]),
    tests(
      "NeatFuzzTests",
      [
        "NeatMap", "NeatABI", "NeatTestSupport", "NeatBase", "NeatJSON", "NeatStyle", "NeatText",
        "NeatRaster",
        "NeatImage", "NeatCamera",
      ]),
    tests(
      "NeatStoreTests",
      ["NeatStore", "NeatBase", "NeatTile", "NeatJSON", "NeatTestSupport", "NeatDatabaseWorker"]),
    // What tests of the resource database start as other processes; it has the database's figures too.
    .executableTarget(
      name: "NeatDatabaseWorker", dependencies: ["NeatStore", "NeatBase"], path: "Tests/NeatDatabaseWorker",
      swiftSettings: strict),
    .executableTarget(
      name: "NeatOfflineWorker", dependencies: ["NeatResource", "NeatBase"], path: "Tests/NeatOfflineWorker",
      swiftSettings: strict),
    // What several tests work with: a server, a folder.
    .target(
      name: "NeatTestSupport", dependencies: ["NeatBase", "NeatLoop"], path: "Tests/NeatTestSupport",
      swiftSettings: strict),
    tests("NeatLoopTests", ["NeatLoop", "NeatBase"]),
    tests("NeatNetworkTests", ["NeatNetwork", "NeatLoop", "NeatBase", "NeatTestSupport", "CCurl"]),
    tests(
      "NeatResourceTests",
      [
        "NeatResource", "NeatNetwork", "NeatLoop", "NeatStore", "NeatBase", "NeatJSON", "NeatTile",
        "NeatTestSupport", "NeatOfflineWorker",
      ]),
    tests(
      "NeatLiveTests",
      [
        "NeatLive", "NeatResource", "NeatNetwork", "NeatLoop", "NeatStore", "NeatMap", "NeatLayout",
        "NeatPlacement", "NeatCamera", "NeatBase",
        "NeatJSON", "NeatRaster", "NeatImage", "NeatStyle", "NeatText", "NeatTile", "NeatTestSupport",
        "CSQLite",
      ]),
    tests("NeatlineRemoteTests", ["NeatlineRemote"]),
    tests("NeatlineTests", ["Neatline", "ExpressionOracle", "NeatTestSupport"]),
    // What tests of the HTTP service start as other processes.
    .executableTarget(
      name: "NeatHTTPWorker", dependencies: ["Neatline", "NeatlineFoundation", "NeatTestSupport"],
      path: "Tests/NeatHTTPWorker", swiftSettings: strict),
    tests(
      "NeatlineFoundationTests", ["Neatline", "NeatlineFoundation", "NeatTestSupport", "NeatHTTPWorker"]),
  ],
  swiftLanguageModes: [.v6]
)

// With NEATLINE_ONLY=NeatStyleTests the package is that target and what it needs (`scripts/test --quick`): a change
// in a lower floor is then tested without compiling everything above it.
if let only = Context.environment["NEATLINE_ONLY"] {
  let byName = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
  var kept: Set<String> = []
  var pending = only.split(separator: ",").map(String.init)
  while let name = pending.popLast() {
    guard let target = byName[name] else { fatalError("NEATLINE_ONLY names no target: \(name)") }
    guard kept.insert(name).inserted else { continue }
    for dependency in target.dependencies {
      switch dependency {
      case .byNameItem(let name, _), .targetItem(let name, _): pending.append(name)
      default: break
      }
    }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products = []
}
