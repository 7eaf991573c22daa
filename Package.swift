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
    system("CCurl", "libcurl", "libcurl4-openssl-dev"),
    .systemLibrary(name: "CNeatline", path: "include"),

    .systemLibrary(name: "CNumber", path: "System/CNumber"),
    .target(name: "CInternational", dependencies: ["CICU"]),
    core("NeatBase", ["CNumber"]),
    core("NeatJSON", ["NeatBase"]),
    core("NeatTile", ["NeatBase", "NeatJSON", "CZlib", "CDeflate", "CZstd", "CBrotli"]),
    core("NeatMesh", ["NeatBase"]),
    core("NeatStyle", ["NeatBase", "NeatJSON", "NeatTile", "CInternational"]),
    core("NeatText", ["NeatBase", "CFreeType", "CHarfBuzz", "CFriBidi"]),
    core("NeatPlacement", ["NeatBase"]),
    core("NeatRaster", ["NeatBase"]),
    core("NeatImage", ["NeatBase", "CDeflate", "CSpng", "CTurboJPEG", "CWebP"]),
    core("NeatLayout", ["NeatBase", "NeatTile", "NeatStyle", "NeatText", "NeatMesh", "NeatPlacement"]),
    core(
      "NeatMap",
      [
        "NeatBase", "NeatJSON", "NeatTile", "NeatStyle", "NeatText", "NeatMesh", "NeatPlacement",
        "NeatRaster", "NeatImage", "NeatLayout",
      ]),
    core("NeatStore", ["NeatBase", "NeatJSON", "NeatTile", "CSQLite"]),
    core(
      "NeatLoop",
      [
        "NeatBase", "NeatJSON", "NeatTile", "NeatStyle", "NeatText", "NeatRaster", "NeatImage", "NeatStore",
        "NeatMap", "CUV", "CCurl",
      ]),
    core(
      "NeatABI",
      [
        "NeatBase", "NeatJSON", "NeatTile", "NeatMesh", "NeatStyle", "NeatText", "NeatPlacement",
        "NeatRaster", "NeatImage", "NeatMap",
        "NeatStore",
        "NeatLoop", "CNeatline",
      ]),
    core("Neatline", ["CNeatline", "NeatABI"]),
    core("NeatlineFoundation", ["Neatline"]),
    .executableTarget(name: "NeatlineCLI", dependencies: ["Neatline"], swiftSettings: strict),
    .target(name: "CAllocationCount"),
    core("ExpressionOracle", ["Neatline"]),
    .executableTarget(
      name: "NeatlineBench", dependencies: ["Neatline", "CAllocationCount", "ExpressionOracle"],
      swiftSettings: strict),
    .executableTarget(name: "NeatlineConformance", dependencies: ["Neatline"], swiftSettings: strict),

    .executableTarget(
      name: "Earthquakes", dependencies: ["Neatline"], path: "Examples/swift/Earthquakes",
      swiftSettings: strict),

    tests("NeatBaseTests", ["NeatBase"]),
    tests("NeatJSONTests", ["NeatJSON", "NeatBase"]),
    tests("NeatTileTests", ["NeatTile", "NeatBase", "NeatJSON"]),
    tests("NeatMeshTests", ["NeatMesh", "NeatBase", "NeatJSON"]),
    tests("NeatStyleTests", ["NeatStyle", "NeatBase", "NeatJSON", "NeatTile"]),
    tests("NeatTextTests", ["NeatText", "NeatBase", "NeatJSON"]),
    tests("NeatPlacementTests", ["NeatPlacement", "NeatBase"]),
    tests("NeatRasterTests", ["NeatRaster", "NeatBase"]),
    tests("NeatImageTests", ["NeatImage", "NeatBase"]),
    tests(
      "NeatLayoutTests",
      ["NeatLayout", "NeatBase", "NeatJSON", "NeatTile", "NeatStyle", "NeatText", "NeatPlacement"]),
    tests(
      "NeatMapTests",
      [
        "NeatMap", "NeatBase", "NeatJSON", "NeatTile", "NeatStyle", "NeatText", "NeatRaster", "NeatImage",
        "NeatLayout",
      ]),
    tests(
      "NeatFuzzTests",
      ["NeatMap", "NeatBase", "NeatJSON", "NeatStyle", "NeatText", "NeatRaster", "NeatImage"]),
    tests("NeatStoreTests", ["NeatStore", "NeatBase", "NeatTile", "NeatJSON"]),
    tests(
      "NeatLoopTests",
      [
        "NeatLoop", "NeatBase", "NeatJSON", "NeatMap", "NeatRaster", "NeatStyle", "NeatText", "NeatTile",
        "NeatStore",
      ]),
    tests("NeatlineTests", ["Neatline", "ExpressionOracle"]),
    tests("NeatlineFoundationTests", ["Neatline", "NeatlineFoundation"]),
  ],
  swiftLanguageModes: [.v6]
)
