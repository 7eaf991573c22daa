import CNeatline
import NeatBase
import NeatLoop
import NeatResource

@c @implementation
public func neat_resources_load(
  _ resources: OpaquePointer!, _ kind: neat_resource_kind, _ url: UnsafePointer<CChar>!, _ url_size: Int,
  _ timeout_ms: UInt32, _ out_data: OutHandle!
) -> neat_status {
  produce(out_data) { () throws(NeatError) in
    let shared: SharedResources = Handle.object(try required(resources, "resources"))
    let url = try text(url, url_size, "url")
    guard !url.isEmpty else { throw NeatError(.invalidArgument, "no address") }
    guard kind.rawValue <= UInt32(ResourceKind.font.rawValue) else {
      throw NeatError(.invalidArgument, "kind \(kind.rawValue) is none of neat_resource_kind")
    }
    let request = ResourceRequest(
      kind: ResourceKind(rawValue: UInt8(truncatingIfNeeded: kind.rawValue)) ?? .source,
      url: WorkingFolder.absolute(url))
    let deadline: Deadline = timeout_ms == 0 ? .never : .after(ms: UInt64(timeout_ms))
    let shown = Address.withoutCredentials(url)
    switch try shared.loader.load(request, deadline: deadline) {
    case .data(let bytes): return Buffer(bytes)
    case .empty: return Buffer([])
    case .missing: throw NeatError(.notFound, "no such resource", resource: shown)
    case .failed(let error): throw error
    }
  }
}
