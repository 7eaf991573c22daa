import CNeatline

@c @implementation
public func neat_abi_version() -> UInt32 { UInt32(NEAT_ABI_VERSION) }
