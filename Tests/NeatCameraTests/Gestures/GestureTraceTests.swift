import NeatBase
import NeatTestSupport
import Testing

@testable import NeatCamera

/// Recorded input gives what it gave. `NEATLINE_RECORD_TRACES=1` writes what it gives now into the traces: look at
/// the difference before you keep it.
@Suite struct GestureTraceTests {
  @Test func thereIsATraceOfEachKindOfInput() {
    #expect(Trace.names.count >= 17)
  }

  @Test(arguments: Trace.names) func itGivesTheSameTwice(_ name: String) throws {
    let trace = try Trace(name)
    let (first, second) = (try trace.play(), try trace.play())
    // All numbers are written with the digits that tell them apart.
    #expect(first.outputs.map(Player.text) == second.outputs.map(Player.text))
    #expect(first.outputs == second.outputs)
  }

  /// What goes on by itself does not depend on how many frames there are.
  @Test(arguments: Trace.names) func itEndsTheSameWithoutFrames(_ name: String) throws {
    let trace = try Trace(name)
    let (all, few) = (try trace.play(), try trace.play(frames: false))
    #expect(all.story == few.story)
    #expect(all.camera == few.camera)
  }

  @Test(arguments: Trace.names) func itGivesWhatItGave(_ name: String) throws {
    let trace = try Trace(name)
    let lines = try trace.play().outputs.map(Player.text)
    if getenv("NEATLINE_RECORD_TRACES") != nil { return try record(name, lines) }
    let recorded = trace.output
    try #require(lines.count == recorded.count, "\(lines.count) outputs, recorded \(recorded.count)")
    for (line, was) in zip(lines, recorded) {
      let (new, old) = (line.split(separator: " "), was.split(separator: " "))
      let isSame =
        new.count == old.count
        && zip(new, old).allSatisfy { a, b in
          // Mathematical functions of other systems differ in the last digit.
          if let a = Double(a), let b = Double(b) { return abs(a - b) <= 1e-9 * max(1, abs(b)) }
          return a == b
        }
      #expect(isSame, "\(line), recorded \(was)")
    }
  }

  private func record(_ name: String, _ lines: [String]) throws {
    let path = Trace.folder + "/\(name).json"
    let text = String(decoding: SharedFiles.read(path) ?? [], as: UTF8.self)
    let head = text.split(separator: "  \"output\":", maxSplits: 1)[0]
    let body = lines.map { "    \"\($0)\"" }.joined(separator: ",\n")
    let file = try #require(fopen(path, "wb"))
    defer { fclose(file) }
    fputs("\(head)  \"output\": [\n\(body)\n  ]\n}\n", file)
  }
}
