import CNeatline
import NeatBase

@c @implementation
public func neat_abi_version() -> UInt32 { UInt32(NEAT_ABI_VERSION) }

private nonisolated(unsafe) let versionText = StaticText.make(NEAT_VERSION_STRING)

@c @implementation
public func neat_version() -> UnsafePointer<CChar>! { versionText }

private nonisolated(unsafe) let statusNames: [UnsafePointer<CChar>] = [
  "ok", "invalid argument", "out of memory", "limit exceeded", "not found", "unsupported", "json", "style",
  "expression", "tile", "archive",
  "font", "image", "geojson", "io", "network", "timeout", "cancelled", "state",
].map(StaticText.make)

private nonisolated(unsafe) let unknownName = StaticText.make("unknown")

@c @implementation
public func neat_status_name(_ status: neat_status) -> UnsafePointer<CChar>! {
  let index = Int(status.rawValue)
  return statusNames.indices.contains(index) ? statusNames[index] : unknownName
}

@c @implementation
public func neat_last_error() -> UnsafePointer<CChar>! { LastError.pointer }
