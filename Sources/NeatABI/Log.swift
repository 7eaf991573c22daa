import CNeatline
import NeatBase

@c @implementation
public func neat_set_log_callback(
  _ lowest: neat_log_level, _ callback: neat_log_callback!, _ context: UnsafeMutableRawPointer!
) -> neat_status {
  attempt { () throws(NeatError) in
    guard let callback else { return Log.listen(nil) }
    guard let level = UInt8(exactly: lowest.rawValue).flatMap(LogLevel.init(rawValue:)) else {
      throw NeatError(.invalidArgument, "level \(lowest.rawValue) is none of neat_log_level")
    }
    let listener = LogListener(callback: callback, context: context)
    Log.listen(from: level) { listener.tell($0) }
  }
}

/// A C callback and what it is called with. The context is the caller's, who says that any thread may have it.
private struct LogListener: @unchecked Sendable {
  let callback: neat_log_callback
  let context: UnsafeMutableRawPointer?

  func tell(_ message: LogMessage) {
    message.category.rawValue.withCString { category in
      message.text.withCString { text in
        var told = neat_log_message()
        told.struct_size = UInt32(MemoryLayout<neat_log_message>.size)
        told.level = neat_log_level(rawValue: UInt32(message.level.rawValue))
        told.category = category
        told.text = text
        told.time_us = message.time
        callback(context, &told)
      }
    }
  }
}
