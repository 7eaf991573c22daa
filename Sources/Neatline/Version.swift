import CNeatline
import NeatABI

/// The ABI version of the linked engine.
public var abiVersion: UInt32 { neat_abi_version() }
