import CNeatline
import NeatBase
import NeatCamera
import NeatJSON
import NeatLive

final class TrackHandle: Sendable {
  let recording: LocationRecording

  init(_ recording: LocationRecording) { self.recording = recording }
}

private func track(_ pointer: OpaquePointer?) throws(NeatError) -> LocationRecording {
  let handle: TrackHandle = Handle.object(try required(pointer, "track"))
  return handle.recording
}

@c @implementation
public func neat_track_create(
  _ data: UnsafePointer<UInt8>!, _ size: Int, _ format: UnsafePointer<CChar>!, _ format_size: Int,
  _ out_track: OutHandle!
) -> neat_status {
  produce(out_track) { () throws(NeatError) in
    let name = try text(format, format_size, "format")
    var wanted: LocationRecording.Format?
    if !name.isEmpty {
      guard let known = LocationRecording.Format(rawValue: name) else {
        throw NeatError(.invalidArgument, "format \"\(name)\" is neither gpx nor nmea")
      }
      wanted = known
    }
    return TrackHandle(try LocationRecording(try bytes(data, size, "data"), format: wanted))
  }
}

@c @implementation
public func neat_track_count(_ track: OpaquePointer!) -> Int {
  track.map { Handle.object($0, as: TrackHandle.self).recording.entries.count } ?? 0
}

@c @implementation
public func neat_track_location(
  _ track: OpaquePointer!, _ index: Int, _ out_location: UnsafeMutablePointer<neat_location>!,
  _ out_time_ms: UnsafeMutablePointer<Double>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let recording = try NeatABI.track(track)
    let out = try Receiver(out_location, "out_location")
    guard recording.entries.indices.contains(index) else {
      throw NeatError(.invalidArgument, "location \(index) of a track with \(recording.entries.count)")
    }
    let entry = recording.entries[index]
    var location = neat_location(entry.location)
    location.add(entry.heading)
    out.fill(location)
    out_time_ms?.pointee = entry.atMS
  }
}

@c @implementation
public func neat_track_info(_ track: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let recording = try NeatABI.track(track)
    let problems: [JSON] = recording.problems.map {
      .object([("line", .number(Double($0.line))), ("message", .string($0.message))])
    }
    let info = JSON.object([
      ("format", .string(recording.format.rawValue)), ("count", .number(Double(recording.entries.count))),
      ("durationMS", .number(recording.durationMS)),
      ("problemCount", .number(Double(recording.problemCount))), ("problems", .array(problems)),
    ])
    return Buffer(Array(info.text.utf8))
  }
}

@c @implementation
public func neat_track_destroy(_ track: OpaquePointer!) { Handle.destroy(track, TrackHandle.self) }

@c @implementation
public func neat_map_replay(
  _ map: OpaquePointer!, _ track: OpaquePointer!, _ speed: Double, _ callback: neat_replay_callback!,
  _ context: UnsafeMutableRawPointer!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let completion: ReplayCompletion? = callback.map { callback in
      { callback(context, $0?.status ?? NEAT_STATUS_OK) }
    }
    try map.replay(try NeatABI.track(track), speed: speed, completion: completion)
  }
}

@c @implementation
public func neat_map_stop_replay(_ map: OpaquePointer!) -> neat_status {
  attempt(map) { map throws(NeatError) in map.stopReplay() }
}
