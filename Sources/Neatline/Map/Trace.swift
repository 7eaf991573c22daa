import CNeatline

/// Where time goes, of the whole process, in Chrome's trace format, which `ui.perfetto.dev` and `chrome://tracing`
/// show: turns and frames of maps, reading, cutting and laying out tiles, drawing, requests, encoding pictures.
public enum Trace {
  /// Begins to write to a file, which is emptied first; it takes 1 GiB at most, and says where more is left out.
  /// It can be read too where the process ended before `stop`. Throws `io`, and `state` where a trace is under
  /// way. Any thread.
  public static func start(path: String) throws(NeatlineError) {
    try check(path.withText { neat_trace_start($0, $1) })
  }

  /// Ends the trace. Throws `state` where there is none, `io` where not all of it could be written. Any thread.
  public static func stop() throws(NeatlineError) { try check(neat_trace_stop()) }
}
