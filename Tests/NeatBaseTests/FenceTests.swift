import Foundation
import NeatBase
import Testing

/// That nobody adds a conversion from floating point to an integer that ends the process past the range: the
/// compiler refuses it (BareConversions.swift), here is what it cannot see.
@Suite struct FenceTests {
  private static let root: URL = {
    var folder = URL(fileURLWithPath: #filePath)
    repeat {
      folder.deleteLastPathComponent()
    } while !FileManager.default.fileExists(atPath: folder.path + "/Package.swift")
    return folder
  }()

  /// The Swift files of targets, by their path below `Sources`.
  private static func sources(_ isWanted: (String) -> Bool) throws -> [(path: String, text: String)] {
    let folder = root.appendingPathComponent("Sources")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try paths.sorted().filter { $0.hasSuffix(".swift") && isWanted($0) }.map {
      ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
    }
  }

  private static func isCore(_ path: String) -> Bool {
    path.hasPrefix("Neat") && !path.hasPrefix("Neatline") && !path.hasPrefix("NeatBase/")
  }

  /// The fence holds in files that import NeatBase.
  @Test func everyCoreFileThatMakesIntegersSeesTheFence() throws {
    let makes = try Regex(#"\b(U?Int(8|16|32|64)?|SIMD\d+(<\w+>)?)(\.init)?\("#)
    let imports = try Regex(#"(?m)^(package )?import NeatBase$"#)
    let files = try Self.sources(Self.isCore)
    #expect(files.count > 200)
    for file in files where file.text.contains(makes) {
      #expect(file.text.contains(imports), "\(file.path) converts to integers and does not import NeatBase")
    }
  }

  /// A number of a generic type goes by the protocol's own initializer, which no fence is in front of.
  @Test func noCoreFileConvertsToAGenericInteger() throws {
    let generic = try Regex(
      #"<\s*\w+\s*:\s*(some )?(FixedWidth|Binary|Signed|Unsigned)Integer|\bsome (FixedWidth|Binary|Signed|Unsigned)Integer"#
    )
    // Whole numbers only, from bytes or from other integers.
    let known: Set = [
      "NeatJSON/JSONBuilder.swift", "NeatJSON/JSONWriter.swift", "NeatTile/MLT/MLTIntegers.swift",
      "NeatTile/MLT/MLTLayer.swift",
      "NeatTile/PMTiles/PMTilesHeader.swift",
    ]
    for file in try Self.sources(Self.isCore) where file.text.contains(generic) {
      #expect(
        known.contains(file.path),
        "\(file.path) is generic over integers: look whether it converts from floating point, then name it here"
      )
    }
  }

  /// The Swift module and the programs stand on the header and have no fence: what reads like a conversion of
  /// a floating-point number.
  @Test func noProgramConvertsBareNumbers() throws {
    let floating = #"\.rounded|\.number\b|\bDouble\(|\bFloat\(|\bfloor\(|\bceil\(|\btrunc\(|\d\.\d"#
    let bare = try Regex(#"\bU?Int(8|16|32|64)?\((?!exactly:)[^()]*("# + floating + ")")
    for file in try Self.sources({ $0.hasPrefix("Neatline/") || $0.hasPrefix("NeatlineCLI/") }) {
      for (number, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        #expect(!line.contains(bare), "\(file.path):\(number + 1): a bare conversion")
      }
    }
  }

  // MARK: The compiler

  private static func swiftc(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["swiftc", "-package-name", "fence", "-swift-version", "6", "-I", root.path + "/System/CNumber"]
      + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  @Test func theCompilerRefusesBareConversions() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "fence-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let base = Self.root.path + "/Sources/NeatBase/"
    let module = try Self.swiftc([
      "-emit-module", "-module-name", "NeatBase", "-parse-as-library", base + "Saturating.swift",
      base + "BareConversions.swift", "-o",
      folder.path + "/NeatBase.swiftmodule",
    ])
    #expect(module.status == 0, "\(module.output)")

    let integers = ["Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64"]
    var bare = ["import NeatBase"]
    var good = ["import NeatBase"]
    for integer in integers {
      for float in ["Double", "Float"] {
        bare.append("func f(_ x: \(float)) -> \(integer) { \(integer)(x) }")
        bare.append("func g(_ x: \(float)) -> \(integer) { .init(x.rounded(.down)) }")
        good.append("func f(_ x: \(float)) -> \(integer) { \(integer)(saturating: x) }")
        good.append("func g(_ x: \(float)) -> \(integer)? { \(integer)(exactly: x) }")
      }
      bare.append("func h<F: BinaryFloatingPoint>(_ x: F) -> \(integer) { \(integer)(x) }")
      good.append("func h(_ x: Int32) -> \(integer) { \(integer)(x) }")
    }
    for lanes in [2, 3, 4, 8, 16, 32, 64] {
      bare.append("func v(_ x: SIMD\(lanes)<Float>) -> SIMD\(lanes)<Int32> { SIMD\(lanes)<Int32>(x) }")
      good.append("func v(_ x: SIMD\(lanes)<Int32>) -> SIMD\(lanes)<Float> { SIMD\(lanes)<Float>(x) }")
    }
    func compile(_ lines: [String], _ name: String) throws -> (status: Int32, output: String) {
      let path = folder.path + "/\(name).swift"
      try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
      return try Self.swiftc([
        "-typecheck", "-parse-as-library", "-warnings-as-errors", "-I", folder.path, path,
      ])
    }
    let refused = try compile(bare, "bare")
    for line in 2...bare.count {
      #expect(refused.output.contains("bare.swift:\(line):"), "\(bare[line - 1]) compiles")
    }
    let accepted = try compile(good, "good")
    #expect(accepted.status == 0, "\(accepted.output)")
  }
}
