import CNeatline
import NeatBase
import NeatJSON
import NeatMap
import NeatStyle

extension MapAnswer {
  /// As `neat_map_ask` writes it.
  func json() throws(NeatError) -> [UInt8] {
    switch self {
    case .features(let answer): return try answer.json()
    case .clusters(let items, let index): return try index.json(items)
    case .zoom(let zoom): return Array("\(zoom)".utf8)
    case .state(let state):
      var writer = JSONWriter()
      writer.beginObject()
      for (name, value) in state.sorted(by: { $0.key < $1.key }) {
        writer.key(name)
        value.write(to: &writer)
      }
      writer.endObject()
      return writer.bytes
    }
  }
}

private func question(_ json: UnsafePointer<CChar>?, _ size: Int) throws(NeatError) -> MapQuestion {
  try MapQuestion(try JSON.parse(try bytes(json, size, "question")))
}

@c @implementation
public func neat_map_ask(
  _ map: OpaquePointer!, _ question_json: UnsafePointer<CChar>!, _ question_size: Int, _ out_json: OutHandle!
) -> neat_status {
  produce(map, out_json, hasEffects: true) { map throws(NeatError) in
    Buffer(try map.answer(try question(question_json, question_size)).json())
  }
}

@c @implementation
public func neat_map_ask_then(
  _ map: OpaquePointer!, _ question_json: UnsafePointer<CChar>!, _ question_size: Int,
  _ callback: neat_answer_callback!, _ context: UnsafeMutableRawPointer!,
  _ out_question: UnsafeMutablePointer<UInt64>!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let callback = try required(callback, "callback")
    let number = try map.ask(
      try question(question_json, question_size), writing: { answer throws(NeatError) in try answer.json() },
      completion: { answer in tell(answer, callback, context) })
    out_question?.pointee = number
  }
}

private func tell(
  _ answer: Result<[UInt8], NeatError>, _ callback: neat_answer_callback, _ context: UnsafeMutableRawPointer?
) {
  switch answer {
  case .success(var json):
    let size = json.count
    // The text ends with a zero that its size does not count, as that of buffers.
    json.append(0)
    json.withUnsafeBytes {
      callback(
        context, NEAT_STATUS_OK, StaticText.empty, $0.baseAddress?.assumingMemoryBound(to: CChar.self), size)
    }
  case .failure(let error):
    error.description.withCString { callback(context, error.status, $0, StaticText.empty, 0) }
  }
}

@c @implementation
public func neat_map_cancel_question(_ map: OpaquePointer!, _ question: UInt64) -> neat_status {
  attempt(map) { map throws(NeatError) in map.cancelQuestion(question) }
}
