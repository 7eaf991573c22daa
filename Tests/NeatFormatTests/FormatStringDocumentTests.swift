import NeatBase
import NeatFormat
import NeatJSON
import NeatStyle
import NeatTestSupport
import Testing

/// The tables of docs/format-strings.md are promises: each row is converted, and must become what stands in
/// its last column.
@Suite("The document of format strings is true")
struct FormatStringDocumentTests {
  private struct Row {
    var kind: FormatString.Kind
    var format: String
    var arguments: String
    var outcome: String
    var line: Int
  }

  @Test("Every row of the tables becomes the expression, or the error, that it says")
  func rows() throws {
    let rows = try rows(of: document())
    #expect(rows.count > 300)
    for row in rows {
      let arguments = try JSON.parse("[\(row.arguments)]")
      let outcome: String
      do throws(FormatStringError) {
        let bytes = try FormatString.convert(Array(row.format.utf8), arguments: arguments, as: row.kind)
        outcome = "`" + String(decoding: bytes, as: UTF8.self) + "`"
      } catch {
        outcome = error.description
      }
      #expect(outcome == row.outcome, "line \(row.line)")
    }
  }

  @Test("The limits are those of the code")
  func limits() throws {
    let text = try document().joined(separator: "\n")
    for (what, limit) in [
      ("bytes of the format string", FormatStringLimits.bytes),
      ("parts of a key path", FormatStringLimits.depth),
      ("levels of the resulting expression", ExpressionLimits.depth),
      ("constants in all", FormatStringLimits.nodes),
      ("stops, arguments", FormatStringLimits.operands), ("8 for each value", FormatStringLimits.arguments),
      ("bytes of the result", FormatStringLimits.output),
    ] {
      var digits = String(limit)
      for place in stride(from: digits.count - 3, to: 0, by: -3) {
        digits.insert(" ", at: digits.index(digits.startIndex, offsetBy: place))
      }
      #expect(text.contains("\(what) | \(digits) |"), "\(what)")
    }
  }

  private func document(from file: String = #filePath) throws -> [String] {
    let root = file.split(separator: "/").dropLast(3).joined(separator: "/")
    let bytes = try #require(SharedFiles.read("/\(root)/docs/format-strings.md"))
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  private func rows(of lines: [String]) throws -> [Row] {
    var kind: FormatString.Kind?
    var rows: [Row] = []
    for (index, line) in lines.enumerated() {
      let cells = cells(line)
      guard cells.count == 3, cells[0] != "---" else {
        if cells.isEmpty { kind = nil }
        continue
      }
      if cells[2] == "becomes" {
        kind = cells[0] == "predicate" ? .predicate : .expression
      } else if let kind {
        rows.append(
          Row(
            kind: kind, format: code(cells[0]), arguments: code(cells[1]), outcome: cells[2], line: index + 1)
        )
      }
    }
    return rows
  }

  /// The cells of a table's line; a bar within one is written `\\|`.
  private func cells(_ line: String) -> [String] {
    guard line.hasPrefix("| "), line.hasSuffix(" |") else { return [] }
    var cells = [""]
    var escaped = false
    for character in line.dropFirst().dropLast() {
      if character == "|" && !escaped {
        cells.append("")
        continue
      }
      if escaped && character != "|" { cells[cells.count - 1].append("\\") }
      escaped = character == "\\"
      if !escaped { cells[cells.count - 1].append(character) }
    }
    return cells.map { cell in
      var cell = Substring(cell)
      while cell.first == " " { cell.removeFirst() }
      while cell.last == " " { cell.removeLast() }
      return String(cell)
    }
  }

  private func code(_ cell: String) -> String {
    cell.hasPrefix("`") ? String(cell.dropFirst().dropLast()) : cell
  }
}
