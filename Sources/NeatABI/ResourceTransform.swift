import CNeatline
import NeatBase
import NeatNetwork
import NeatResource

/// A change within a transform's callback. Only for the thread of that call.
private final class OpenTransform {
  var change: ResourceTransform.Change

  init(_ url: String) { change = .init(url: url) }
}

@c @implementation
public func neat_resources_set_transform(
  _ resources: OpaquePointer!, _ callback: neat_transform_callback!, _ context: UnsafeMutableRawPointer!,
  _ destroy: neat_destroy_callback!
) -> neat_status {
  attempt { () throws(NeatError) in
    let shared: SharedResources = Handle.object(try required(resources, "resources"))
    guard let callback else { return shared.setTransform(nil) }
    let context = HostContext(context, destroy)
    shared.setTransform(
      ResourceTransform { kind, url in
        let open = OpenTransform(url)
        let handle = OpaquePointer(Unmanaged.passUnretained(open).toOpaque())
        withExtendedLifetime(open) {
          let size = url.utf8.count
          url.withCString {
            callback(context.pointer, neat_resource_kind(UInt32(kind.rawValue)), $0, size, handle)
          }
        }
        return open.change
      })
  }
}

private func opened(_ transform: OpaquePointer?) throws(NeatError) -> OpenTransform {
  Handle.object(try required(transform, "transform"))
}

@c @implementation
public func neat_transform_set_url(
  _ transform: OpaquePointer!, _ url: UnsafePointer<CChar>!, _ url_size: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let open = try opened(transform)
    let url = try text(url, url_size, "url")
    guard !url.isEmpty, !url.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
      throw NeatError(.invalidArgument, "url is empty, or has control characters in it")
    }
    open.change.url = url
  }
}

@c @implementation
public func neat_transform_add_header(
  _ transform: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_size: Int,
  _ value: UnsafePointer<CChar>!, _ value_size: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let open = try opened(transform)
    let name = try headerName(name, name_size)
    open.change.headers.replace(by: [(name, try headerValue(value, value_size, of: name))])
  }
}

@c @implementation
public func neat_transform_refuse(
  _ transform: OpaquePointer!, _ message: UnsafePointer<CChar>!, _ message_size: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let open = try opened(transform)
    let message = try text(message, message_size, "message")
    open.change.refusal = NeatError(.unsupported, message.isEmpty ? "refused by the transform" : message)
  }
}
