import CNeatline

/// A recording of locations: GPX or NMEA. For any thread.
public final class Track: Sendable {
  /// How a recording is written.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    case gpx, nmea
  }

  /// A line that was left out, and why.
  public struct Problem: Hashable, Sendable {
    /// The line, from 1.
    public var line: Int
    /// What is wrong with it.
    public var message: String
  }

  nonisolated(unsafe) let pointer: OpaquePointer

  /// Reads GPX 1.0 and 1.1, or sentences of NMEA 0183; `format` nil: the data tells. Course and speed that it does
  /// not have are those from location to location. Throws `invalidArgument`, naming the line, for what is no such
  /// recording and for one without a location; `limitExceeded` past 64 MiB and 500,000 locations.
  public init(_ data: [UInt8], format: Format? = nil) throws(NeatlineError) {
    pointer = try handle { out in
      (format?.rawValue ?? "").withText { format, size in
        data.withUnsafeBufferPointer { neat_track_create($0.baseAddress, $0.count, format, size, out) }
      }
    }
  }

  deinit { neat_track_destroy(pointer) }

  /// The number of locations.
  public var count: Int { neat_track_count(pointer) }

  /// A location and when it comes: milliseconds after the first. Ends the process past `count`.
  public subscript(index: Int) -> (location: Location, milliseconds: Double) {
    precondition(index >= 0 && index < count, "location \(index) of a track with \(count)")
    var time = 0.0
    let location = Location { neat_track_location(pointer, index, $0, &time) }
    return (location ?? Location(coordinate: Coordinate(latitude: 0, longitude: 0)), time)
  }

  /// Milliseconds from the first location to the last.
  public var duration: Double { info["durationMS"]?.number ?? 0 }

  /// How it was written.
  public var format: Format { info["format"]?.string.flatMap(Format.init) ?? .gpx }

  /// The first 100 lines that were left out.
  public var problems: [Problem] {
    (info["problems"]?.array ?? []).map {
      Problem(
        line: $0["line"]?.number.flatMap { Int(exactly: $0) } ?? 0, message: $0["message"]?.string ?? "")
    }
  }

  /// How many were left out.
  public var problemCount: Int { info["problemCount"]?.number.flatMap { Int(exactly: $0) } ?? 0 }

  private var info: JSONValue { (try? jsonValue { neat_track_info(pointer, $0) }) ?? .null }
}

/// A provider that gives a map the locations of a recording at their times, by the clock of the map's frames.
public final class ReplayLocationProvider: LocationProvider {
  /// How exactly locations are wanted; a recording has what it has.
  public var locationProviderOptions = LocationOptions()
  /// What is replayed.
  public let track: Track
  /// How many times as fast as it was recorded, 0.001 to 10,000.
  public let speed: Double
  let completion: ((NeatlineError?) -> Void)?

  /// A replay that begins when a map gets it. `completion` hears once of the end, or `cancelled`.
  public init(_ track: Track, speed: Double = 1, completion: ((NeatlineError?) -> Void)? = nil) {
    self.track = track
    self.speed = speed
    self.completion = completion
  }

  /// Nobody: the map does the replay.
  public func setDelegate(_ delegate: any LocationProviderDelegate) {}
  /// Nothing: it goes on by itself.
  public func startUpdatingLocation() {}
  /// Nothing: it goes on by itself.
  public func stopUpdatingLocation() {}
}
