// Another process for the tests of regions: `NeatOfflineWorker DATABASE REGION` downloads a region of a
// database that is there, says how many resources are there after each batch, and ends with 0 when it is whole.
import NeatBase
import NeatResource

/// A line, at once.
@Sendable func say(_ text: String, on descriptor: Int32 = 1) {
  let line = Array((text + "\n").utf8)
  _ = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
}

guard CommandLine.arguments.count == 3, let region = Int64(CommandLine.arguments[2]) else {
  say("usage: NeatOfflineWorker DATABASE REGION", on: 2)
  exit(2)
}
var options = SharedResources.Options()
options.cachePath = CommandLine.arguments[1]
do throws(NeatError) {
  let download = try SharedResources(options).offline.download(region) { event in
    if case .status(let status) = event { say("\(status.completed)") }
  }
  download.wait()
  exit(download.status.state == .complete ? 0 : 1)
} catch {
  say("\(error)", on: 2)
  exit(3)
}
