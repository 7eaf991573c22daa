import CNeatline
import NeatABI

/// The ABI version of the linked engine.
public var abiVersion: UInt32 { neat_abi_version() }

/// The version of the linked engine, such as "0.1.0".
public var engineVersion: String { String(cString: neat_version()) }
