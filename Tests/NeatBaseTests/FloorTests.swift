import NeatBase
import Testing

/// The floors of the package: what each may import, and that none imports one that comes later.
@Suite struct FloorTests {
  /// Floors in their order, as docs/architecture.md lists them.
  private static let floors = [
    "NeatBase", "NeatJSON", "NeatShape", "NeatTile", "NeatMesh", "NeatStyle", "NeatFormat", "NeatText",
    "NeatPlacement", "NeatRaster", "NeatImage", "NeatCamera", "NeatLayout", "NeatMap", "NeatStore",
    "NeatLoop", "NeatNetwork",
    "NeatResource", "NeatLive", "NeatABI", "Neatline", "NeatlineFoundation", "ExpressionOracle",
    "NeatlineRemote", "NeatlineCLI",
    "NeatlineBench", "NeatlineConformance",
  ]
  /// What stands on the C header, and may import nothing of what lies below it.
  private static let aboveTheHeader: Set<String> = [
    "NeatlineFoundation", "ExpressionOracle", "NeatlineRemote", "NeatlineCLI", "NeatlineBench",
    "NeatlineConformance",
  ]

  private static let package = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  private func text(_ path: String) throws -> String {
    let file = try #require(fopen(Self.package + "/" + path, "rb"), "\(path) is not there")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[0..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Files and folders below a folder, by their paths in it.
  private func entries(_ folder: String) -> [String] {
    guard let directory = opendir(Self.package + "/" + folder) else { return [] }
    defer { closedir(directory) }
    var found: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix(".") else { continue }
      found.append(name)
      found += entries(folder + "/" + name).map { name + "/" + $0 }
    }
    return found.sorted()
  }

  private func imports(_ text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("import ") || $0.hasPrefix("@testable import ") }
      .compactMap { $0.split(separator: " ").last.map(String.init) }
  }

  /// What measures a floor's own loops, which no function of the header is.
  private static let measured = ["NeatlineBench/LimitWorkloads.swift": "NeatRaster"]

  @Test func noFloorImportsALaterOne() throws {
    var count = 0
    for (place, floor) in Self.floors.enumerated() {
      let allowed = Set(Self.floors[..<place])
      for path in entries("Sources/\(floor)") where path.hasSuffix(".swift") {
        count += 1
        for name in imports(try text("Sources/\(floor)/\(path)")) where Self.floors.contains(name) {
          #expect(allowed.contains(name), "\(floor)/\(path) imports \(name)")
          if Self.aboveTheHeader.contains(floor) {
            #expect(
              Set(["Neatline", "ExpressionOracle", "NeatlineRemote"]).contains(name)
                || Self.measured["\(floor)/\(path)"] == name,
              "\(floor)/\(path) imports \(name)")
          }
          if floor == "Neatline" { #expect(name == "NeatABI", "\(floor)/\(path) imports \(name)") }
        }
      }
    }
    #expect(count > 400)
  }

  /// The package's manifest and CMake's list have the same floors and the same edges.
  @Test func manifestsAgree() throws {
    let package = try text("Package.swift")
    let cmake = try text("CMakeLists.txt")
    var edges = 0
    for floor in Self.floors.prefix(while: { $0 != "NeatABI" }) {
      let inPackage = try dependencies(of: floor, in: package, from: "core(", to: "])")
      let inCMake = try dependencies(of: floor, in: cmake, from: "neat_floor(", to: ")")
      #expect(inPackage == inCMake, "\(floor): \(inPackage.symmetricDifference(inCMake))")
      let place = try #require(Self.floors.firstIndex(of: floor))
      for name in inPackage where name.hasPrefix("Neat") {
        #expect(Self.floors[..<place].contains(name), "\(floor) depends on \(name)")
        edges += 1
      }
    }
    #expect(edges > 50)
  }

  private func dependencies(
    of floor: String, in text: String, from opening: String, to closing: String
  ) throws -> Set<String> {
    for part in text.split(separator: opening).dropFirst() {
      let words = part.prefix(upTo: part.firstRange(of: closing)?.lowerBound ?? part.endIndex)
        .split { !$0.isLetter && !$0.isNumber }.map(String.init)
      // The headers of CNumber stand with every target of CMake's.
      if words.first == floor { return Set(words.dropFirst()).subtracting(["CNumber"]) }
    }
    Issue.record("\(floor) is not among what begins with \(opening)")
    return []
  }

  @Test func namesTellWhatIsWhere() {
    let sources = entries("Sources")
    #expect(sources.count > 400)
    for path in sources {
      let parts = path.split(separator: "/")
      #expect(parts.last != "Core" && parts.last != "Sources", "\(path)")
      #expect(!path.hasSuffix("Tests.swift"), "\(path) is no test")
    }
  }

  /// `Locked` says why.
  @Test func locksSurviveAFork() throws {
    for path in entries("Sources") where path.hasSuffix(".swift") {
      let lines = try text("Sources/\(path)").split(separator: "\n")
      #expect(!lines.contains { $0.contains("Mutex(") || $0.contains("Mutex<") }, "\(path) has a Mutex")
    }
  }

  /// docs/architecture.md lists the targets in their order.
  @Test func theTableOfFloorsIsInOrder() throws {
    let page = try text("docs/architecture.md")
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `Neat") }
    let listed = rows.flatMap { row in
      row.split(separator: "|")[0].split(separator: "`").map(String.init).filter { $0.hasPrefix("Neat") }
    }
    #expect(listed == Self.floors.filter { $0 != "ExpressionOracle" })
  }

  /// The walks of docs/architecture.md lead through files that are there.
  @Test func theWalksLeadThroughFilesThatAreThere() throws {
    let words = try text("docs/architecture.md").split(separator: "`").filter {
      $0.hasPrefix("Sources/") || $0.hasPrefix("include/")
    }
    #expect(words.count > 30)
    for path in words { #expect(access(Self.package + "/" + path, R_OK) == 0, "\(path) is not there") }
  }
}
