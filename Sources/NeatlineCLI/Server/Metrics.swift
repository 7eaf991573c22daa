/// Counts of the server in the text format of Prometheus. Any thread.
final class Metrics: @unchecked Sendable {  // everything that changes is under `lock`
  private struct Series: Hashable {
    var route: String
    var status: Int
  }

  private struct Times {
    var counts = [Int](repeating: 0, count: Metrics.bounds.count + 1)
    var sum = 0.0
    var count = 0
  }

  /// Seconds.
  private static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

  private let lock = Lock()
  private let start = Platform.milliseconds
  private var requests: [Series: Int] = [:]
  private var bytes: [String: Int] = [:]
  private var times: [String: Times] = [:]
  private var problems = 0
  private var reloads = 0
  private var failedReloads = 0

  func note(_ record: RequestRecord) {
    let seconds = Double(record.milliseconds) / 1000
    lock.locked {
      requests[Series(route: record.route, status: record.status), default: 0] += 1
      bytes[record.route, default: 0] += record.bytes
      var times = self.times[record.route] ?? Times()
      times.counts[Metrics.bounds.firstIndex { seconds <= $0 } ?? Metrics.bounds.count] += 1
      times.sum += seconds
      times.count += 1
      self.times[record.route] = times
    }
  }

  /// Pictures that lacked something for a failure.
  func noteProblem() { lock.locked { problems += 1 } }

  func noteReload(failed: Bool) {
    lock.locked { if failed { failedReloads += 1 } else { reloads += 1 } }
  }

  /// `live`: nil where there are no live maps.
  func text(_ server: ServerState, _ cache: TileCache.Figures, _ live: LiveFigures.Counts?) -> String {
    var text = ""
    func family(_ name: String, _ kind: String, _ help: String, _ lines: [(labels: String, value: String)]) {
      text += "# HELP neatline_\(name) \(help)\n# TYPE neatline_\(name) \(kind)\n"
      for line in lines { text += "neatline_\(name)\(line.labels) \(line.value)\n" }
    }
    func gauge(_ name: String, _ help: String, _ value: Int, counter: Bool = false) {
      family(name, counter ? "counter" : "gauge", help, [("", "\(value)")])
    }
    lock.locked {
      family(
        "requests_total", "counter",
        "Requests that are over, by kind of address and status; 0: the client left.",
        requests.sorted { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }.map {
          ("{route=\"\($0.key.route)\",status=\"\($0.key.status)\"}", "\($0.value)")
        })
      family(
        "response_bytes_total", "counter", "Bytes of bodies.",
        bytes.sorted { $0.key < $1.key }.map { ("{route=\"\($0.key)\"}", "\($0.value)") })
      text += "# HELP neatline_request_seconds From the first line of a request to the end of its answer.\n"
      text += "# TYPE neatline_request_seconds histogram\n"
      for (route, times) in times.sorted(by: { $0.key < $1.key }) {
        var sum = 0
        for (index, bound) in Metrics.bounds.enumerated() {
          sum += times.counts[index]
          text += "neatline_request_seconds_bucket{route=\"\(route)\",le=\"\(bound)\"} \(sum)\n"
        }
        text += "neatline_request_seconds_bucket{route=\"\(route)\",le=\"+Inf\"} \(times.count)\n"
        text += "neatline_request_seconds_sum{route=\"\(route)\"} \(times.sum)\n"
        text += "neatline_request_seconds_count{route=\"\(route)\"} \(times.count)\n"
      }
      gauge("problems_total", "Pictures that lacked what they need.", problems, counter: true)
      gauge("reloads_total", "Times that styles and data were loaded anew.", reloads, counter: true)
      gauge(
        "failed_reloads_total", "Times that this failed, and the old stayed.", failedReloads, counter: true)
    }
    gauge("connections", "Open connections.", server.connections)
    gauge("queue_length", "Pictures that wait.", server.waiting)
    gauge("drawing", "Pictures that are being drawn.", server.drawing)
    gauge("answer_bytes", "Bytes of answers that clients have not taken.", server.answerBytes)
    gauge(
      "refused_total", "Requests and connections refused for want of room.", server.refused, counter: true)
    gauge("drawings_total", "Pictures and files that were made for requests.", server.drawn, counter: true)
    gauge("joined_total", "Requests that shared one that was under way.", server.joined, counter: true)
    gauge("cache_entries", "Answers kept in memory.", cache.entries)
    gauge("cache_bytes", "Bytes of them.", cache.bytes)
    gauge("cache_hits_total", "Answers out of memory.", cache.hits, counter: true)
    gauge(
      "cache_stale_hits_total", "Old answers given while the new was drawn.", cache.staleHits, counter: true)
    gauge("cache_misses_total", "Answers that were not in memory.", cache.misses, counter: true)
    gauge("cache_evictions_total", "Answers dropped for want of room.", cache.evictions, counter: true)
    gauge("cache_disk_hits_total", "Answers out of the folder.", cache.diskHits, counter: true)
    gauge("cache_disk_bytes", "Bytes in the folder.", cache.diskBytes)
    gauge("cache_disk_faults_total", "Answers that could not be written.", cache.diskFaults, counter: true)
    if let live {
      gauge("live_sessions", "Live maps that are open.", live.sessions)
      gauge("live_sessions_total", "Live maps that were opened.", live.begun, counter: true)
      gauge("live_refused_total", "Live maps refused for want of room.", live.refused, counter: true)
      gauge("live_frames_total", "Frames sent to live maps.", live.frames, counter: true)
      gauge("live_frame_bytes_total", "Bytes of them.", live.frameBytes, counter: true)
      gauge(
        "live_sent_bytes_total", "Bytes written to sockets that are closed.", live.sentBytes, counter: true)
      gauge("live_received_bytes_total", "Bytes that clients sent.", live.receivedBytes, counter: true)
      family(
        "live_closings_total", "counter",
        "Sockets that the server closed, by code; 1006: without a word, for want of a client that reads.",
        live.closings.sorted { $0.key < $1.key }.map { ("{code=\"\($0.key)\"}", "\($0.value)") })
    }
    gauge("resident_memory_bytes", "Memory of the process.", Platform.residentBytes)
    gauge("uptime_seconds", "Since the start.", (Platform.milliseconds - start) / 1000)
    return text
  }
}
