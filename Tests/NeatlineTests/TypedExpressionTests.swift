import Foundation
import Neatline
import Testing

/// What expressions yield, as the compiler knows it.
@Suite struct TypedExpressionTests {
  @Test func operatorsTellTheTypeOfTheirExpression() {
    let number = Exp(.product) {
      2; Exp(.get) { "width" }
    }
    let color = Exp(.rgb) {
      255; 0; 0
    }
    let text = Exp(.concat) {
      "a"; Exp(.zoom)
    }
    let test = Exp(.has) { "name" }
    let any = Exp(.get) { "name" }
    #expect(type(of: number) == Exp<Double>.self)
    #expect(type(of: color) == Exp<StyleColor>.self)
    #expect(type(of: text) == Exp<String>.self)
    #expect(type(of: test) == Exp<Bool>.self)
    #expect(type(of: any) == AnyExp.self)
    #expect(AnyExp(number).json == number.json)
    #expect(Exp<[Double]>(unchecked: number).json == number.json)
  }

  @Test func placesTellTheTypeOfTheirExpression() {
    var line = LineLayer(id: "a")
    line.lineWidth = .expression(
      Exp(.interpolate) {
        Exp(.linear); Exp(.zoom); 0; 1; 9;
        Exp(.sum) {
          1; 2
        }
      })
    line.lineColor = .expression(
      Exp(.interpolateHcl) {
        Exp(.exponential) { 1.5 }; Exp(.zoom); 0; StyleColor(.red); 9; Exp(.toColor) { Exp(.get) { "c" } }
      })
    line.lineCap = .expression(
      Exp(.step) {
        Exp(.zoom); "butt"; 9; LineCap.round
      })
    line.lineDasharray = .expression(Exp(.literal) { [1, 2] })
    line.linePattern = .expression(
      Exp(.concat) {
        "dots-"; Exp(.get) { "kind" }
      })
    line.filter = Exp(.all) {
      Exp(.has) { "a" };
      Exp(.eq) {
        Exp(.get) { "b" }; 1
      }
    }
    #expect(line.lineWidth?.expression?.json.text == #"["interpolate",["linear"],["zoom"],0,1,9,["+",1,2]]"#)
    #expect(line.lineCap?.expression?.json.text == #"["step",["zoom"],"butt",9,"round"]"#)
    var symbol = SymbolLayer(id: "b")
    symbol.textField = .expression(
      Exp(.format) {
        Exp(.get) { "name" }; FormatOptions(textColor: .constant(StyleColor(.red)))
      })
    symbol.iconImage = .expression(Exp(.image) { "pin" })
    symbol.textFont = .expression(
      Exp(.array) {
        "string"; Exp(.get) { "f" }
      })
    #expect(symbol.unreadProperties == [])
  }

  @Test func anyJSONIsAnExpressionOfAnyType() throws {
    let value = Value<Double>.expression(Exp(json: ["to-color", "red"]))
    #expect(value.json.text == #"["to-color","red"]"#)
    let parsed: Exp<Bool> = try Exp(parsing: #"["has","a"]"#)
    #expect(parsed == Exp(.has) { "a" })
    let untyped = try Exp(parsing: "[\"zoom\"]")
    #expect(untyped.operator?.name == "zoom")
    #expect(throws: JSONError.self) { try Exp(parsing: "[") }
  }

  @Test func expressionsAreCodable() throws {
    let value = Value<StyleColor>.expression(
      Exp(.step) {
        Exp(.zoom); "red"; 5; StyleColor(.blue)
      })
    #expect(try JSONDecoder().decode(Value<StyleColor>.self, from: JSONEncoder().encode(value)) == value)
    let expression = Exp(.max) {
      1; 2.5
    }
    #expect(try JSONDecoder().decode(Exp<Double>.self, from: JSONEncoder().encode(expression)) == expression)
  }

  @Test func legacyFunctionsAndFiltersBecomeExpressions() throws {
    let width: Exp<Double> = try Exp(legacyFunction: ["stops": [[5, 1], [10, 4]]], property: "line-width")
    #expect(width.json.text == #"["interpolate",["linear"],["zoom"],5,1,10,4]"#)
    let cap: Exp<LineCap> = try Exp(legacyFunction: ["stops": [[5, "butt"], [10, "round"]]])
    #expect(cap.json.text == #"["step",["zoom"],"butt",10,"round"]"#)
    let text: Exp<String> = try Exp(legacyFunction: "{a}-{b}")
    #expect(text.json.text == #"["concat",["get","a"],"-",["get","b"]]"#)
    #expect(try Exp(legacyFilter: ["none", ["has", "a"]]).json.text == #"["!",["any",["has","a"]]]"#)
    #expect(throws: NeatlineError.self) { try Exp(legacyFunction: ["stops": [[5, 1]]], property: "nothing") }
    #expect(throws: NeatlineError.self) { try Exp(legacyFunction: ["stops": []], property: "line-width") }
    #expect(throws: NeatlineError.self) { try Exp(legacyFilter: ["==", 5]) }
  }

  @Test func everyOperatorOfTheReferenceIsThere() {
    #expect(Exp<Double>.Operator.sum.name == "+")
    #expect(Exp<Bool>.Operator.eq.name == "==")
    #expect(AnyExp.Operator.linear.name == "linear")
    #expect(Exp<Double>.Operator.skyRadialProgress.name == "sky-radial-progress")
  }

  /// What must not compile, with the reason. Each stands alone in a function.
  private static let mismatches = [
    ("a colour for a number", #"let x: Value<Double> = .expression(Exp(.toColor) { "red" })"#),
    ("a number for a colour", #"let x: Value<StyleColor> = .expression(Exp(.sum) { 1; 2 })"#),
    (
      "a colour among numbers",
      "let x: Value<Double> = .expression(Exp(.step) { Exp(.zoom); 1; 9; StyleColor(.red) })"
    ),
    (
      "a colour's expression among numbers",
      #"let x: Value<Double> = .expression(Exp(.step) { Exp(.zoom); 1; 9; Exp(.toColor) { "red" } })"#
    ),
    ("a constant colour for a number", "let x: Value<Double> = .constant(StyleColor(.red))"),
    (
      "interpolated names",
      #"let x: Value<LineCap> = .expression(Exp(.interpolate) { Exp(.linear); Exp(.zoom); 0; "butt"; 9; "round" })"#
    ),
    ("a number for a filter", #"var x = LineLayer(id: "a"); x.filter = Exp(.sum) { 1; 2 }"#),
    (
      "an expression of no certain type for a number",
      #"let y = Exp(.get) { "a" }; let x: Value<Double> = .expression(y)"#
    ),
  ]

  @Test func mismatchesDoNotCompile() throws {
    guard let compiler = Compiler() else {
      return print("skipped: no compiler, or no module to compile against")
    }
    let sound = compiler.faults(
      "func sound() { let x: Value<Double> = .expression(Exp(.sum) { 1; 2 }); _ = x }")
    guard sound.isEmpty || sound.contains("snippet.swift") else {
      return print("skipped: the modules do not load\n\(sound)")
    }
    #expect(sound == "")
    let all = Self.mismatches.enumerated().map { "func mismatch\($0.offset)() { \($0.element.1); _ = x }" }
    let faults = compiler.faults(all.joined(separator: "\n"))
    for (index, mismatch) in Self.mismatches.enumerated() {
      #expect(faults.contains("snippet.swift:\(index + 2):"), "\(mismatch.0) compiles")
    }
  }
}

/// Type-checks text against the modules of the build that the tests belong to.
private struct Compiler {
  private let compiler: URL
  private let modules: URL
  private let package: URL

  init?() {
    let files = FileManager.default
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map {
      URL(fileURLWithPath: String($0))
    }
    let build = CommandLine.arguments.first.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
    let places = [build, package.appendingPathComponent(".build/debug")].compactMap {
      $0?.appendingPathComponent("Modules")
    }
    guard
      let swiftc = folders.map({ $0.appendingPathComponent("swiftc") }).first(where: {
        files.isExecutableFile(atPath: $0.path)
      }),
      let modules = places.first(where: {
        files.fileExists(atPath: $0.appendingPathComponent("Neatline.swiftmodule").path)
      })
    else { return nil }
    compiler = swiftc
    self.modules = modules
    self.package = package
  }

  /// What the compiler has against some statements.
  func faults(_ text: String) -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "neatline-\(ProcessInfo.processInfo.globallyUniqueString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("snippet.swift")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("import Neatline\n\(text)\n".utf8).write(to: file)
      let process = Process()
      process.executableURL = compiler
      process.arguments = ["-typecheck", "-swift-version", "6", "-I", modules.path, file.path]
      let system = try FileManager.default.contentsOfDirectory(
        at: package.appendingPathComponent("System"), includingPropertiesForKeys: nil)
      for folder in system
        + [
          "include", "Sources/CCurl/include", "Sources/CFork/include", "Sources/CReserve/include",
          "Sources/CStack/include",
          "Sources/CInternational/include",
        ].map(
          package.appendingPathComponent)
      {
        process.arguments! += ["-Xcc", "-fmodule-map-file=\(folder.path)/module.modulemap"]
      }
      for flag in try flags() { process.arguments! += ["-Xcc", flag] }
      let pipe = Pipe()
      process.standardError = pipe
      try process.run()
      let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return process.terminationStatus == 0 ? "" : output
    } catch {
      return "\(error)"
    }
  }

  /// Where the headers of the system libraries are.
  private func flags() throws -> [String] {
    let libraries = "zlib freetype2 harfbuzz fribidi icu-i18n spng libturbojpeg libwebp sqlite3 libuv libcurl"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "for name in \(libraries); do pkg-config --cflags-only-I $name 2>/dev/null; done",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return output.split { $0 == " " || $0 == "\n" }.map(String.init)
  }
}
