import CNeatline
import NeatBase
import NeatFormat
import NeatJSON
import NeatStyle

@c @implementation
public func neat_expression_from_format(
  _ format: UnsafePointer<CChar>!, _ format_size: Int, _ arguments: UnsafePointer<CChar>!,
  _ arguments_size: Int,
  _ kind: neat_format_kind, _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let text = try bytes(format, format_size, "format")
    let values = try bytes(arguments, arguments_size, "arguments")
    guard kind == NEAT_FORMAT_KIND_EXPRESSION || kind == NEAT_FORMAT_KIND_PREDICATE else {
      throw NeatError(.invalidArgument, "kind \(kind.rawValue) is none of neat_format_kind")
    }
    let json = values.isEmpty ? JSON.null : try readArguments(values)
    do throws(FormatStringError) {
      return Buffer(
        try FormatString.convert(
          text, arguments: json, as: kind == NEAT_FORMAT_KIND_PREDICATE ? .predicate : .expression))
    } catch {
      throw error.neatError
    }
  }
}

/// The arguments; where they are no JSON the error tells a byte of theirs, not of the format string.
private func readArguments(_ values: [UInt8]) throws(NeatError) -> JSON {
  do throws(NeatError) { return try JSON.parse(values) } catch { throw error.naming("arguments") }
}
