import CNeatline
import NeatBase
import NeatLoop
import NeatResource

/// A download and whom it tells. Any thread.
final class DownloadHandle: ProcessBound, Sendable {
  let download: RegionDownload
  let generation = ProcessGeneration.current

  init(_ download: RegionDownload) { self.download = download }

  deinit { if isOfThisProcess { download.stop() } }
}

/// Calls a C callback with an event.
private struct OfflineSender: Sendable {
  let region: Int64
  let callback: neat_offline_callback
  /// The host's, which answers for its use on another thread.
  nonisolated(unsafe) let context: UnsafeMutableRawPointer?

  func send(_ event: RegionEvent) {
    var sent = neat_offline_event()
    sent.struct_size = UInt32(MemoryLayout<neat_offline_event>.size)
    sent.region = region
    switch event {
    case .status(let status):
      sent.type = NEAT_OFFLINE_EVENT_PROGRESS
      withUnsafePointer(to: neat_offline_progress(status)) { progress in
        sent.progress = progress
        call(&sent, "", "")
      }
    case .failure(let error, let isDiskFull):
      sent.type = NEAT_OFFLINE_EVENT_ERROR
      sent.status = neat_status(rawValue: UInt32(error.code.rawValue))
      sent.is_disk_full = isDiskFull ? 1 : 0
      call(&sent, error.message, error.resource ?? "")
    case .tileLimit(let limit):
      sent.type = NEAT_OFFLINE_EVENT_TILE_LIMIT
      sent.tile_limit = UInt64(clamping: limit)
      call(&sent, "", "")
    }
  }

  private func call(_ event: inout neat_offline_event, _ message: String, _ resource: String) {
    message.withCString { message in
      resource.withCString { resource in
        event.message = message
        event.resource = resource
        callback(context, &event)
      }
    }
  }
}

extension JSONOptions {
  fileprivate func download() throws(NeatError) -> RegionDownloadOptions {
    var options = RegionDownloadOptions()
    options.attempts = try whole("attempts", 0...1_000_000) ?? options.attempts
    options.acceptsExpired = try bool("acceptExpired") ?? options.acceptsExpired
    options.allowsNetwork = try bool("allowsNetwork") ?? options.allowsNetwork
    options.averageBytesPerSecond = Int64(try whole("averageBytesPerSecond", 0...1 << 50) ?? 0)
    options.quotaBytes = Int64(try whole("quotaBytes", 0...1 << 50) ?? 0)
    return options
  }
}

@c @implementation
public func neat_offline_download_create(
  _ resources: OpaquePointer!, _ region: Int64, _ options: UnsafePointer<CChar>!, _ options_size: Int,
  _ callback: neat_offline_callback!, _ context: UnsafeMutableRawPointer!, _ out_download: OutHandle!
) -> neat_status {
  produce(out_download) { () throws(NeatError) in
    let shared: SharedResources = Handle.object(try required(resources, "resources"))
    let given = try JSONOptions(
      try bytes(options, options_size, "options"),
      known: ["attempts", "acceptExpired", "allowsNetwork", "averageBytesPerSecond", "quotaBytes"])
    let sender = callback.map { OfflineSender(region: region, callback: $0, context: context) }
    return DownloadHandle(
      try shared.offline.download(region, try given.download()) { event in sender?.send(event) })
  }
}

private func own(_ download: OpaquePointer?) -> RegionDownload? {
  guard let download else { return nil }
  let handle: DownloadHandle = Handle.object(download)
  return handle.isOfThisProcess ? handle.download : nil
}

@c @implementation
public func neat_offline_download_wait(_ download: OpaquePointer!, _ timeout_ms: UInt32) -> Int32 {
  let deadline = timeout_ms == 0 ? Deadline.never : .after(ms: UInt64(timeout_ms))
  return own(download)?.wait(until: deadline) == true ? 1 : 0
}

@c @implementation
public func neat_offline_download_progress(
  _ download: OpaquePointer!, _ out_progress: UnsafeMutablePointer<neat_offline_progress>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let handle: DownloadHandle = Handle.object(try required(download, "download"))
    try handle.checkProcess("download")
    let out = try Receiver(out_progress, "out_progress")
    out.fill(neat_offline_progress(handle.download.status))
  }
}

@c @implementation
public func neat_offline_download_stop(_ download: OpaquePointer!) { own(download)?.stop() }

@c @implementation
public func neat_offline_download_destroy(_ download: OpaquePointer!) {
  Handle.destroy(bound: download, DownloadHandle.self) { $0.download.stop() }
}
