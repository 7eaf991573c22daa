import NeatBase
import Synchronization

/// What an owner's properties are where no style sets them, by slot. They are compiled when they are first asked
/// for: most styles have layers of few types. Without a lock: two threads may compile them at a time, and those of
/// one are kept.
final class DefaultValues: Sendable {
  private static let tables = PropertyOwner.allCases.map(DefaultValues.init)

  static func of(_ owner: PropertyOwner) -> [PropertyValue] { tables[Int(owner.rawValue)].values }

  private final class Box: Sendable {
    let values: [PropertyValue]

    init(_ values: [PropertyValue]) { self.values = values }
  }

  private let owner: PropertyOwner
  /// The address of a `Box`, which is retained for good; 0 before.
  private let box = Atomic<UInt>(0)

  private init(_ owner: PropertyOwner) { self.owner = owner }

  private var values: [PropertyValue] {
    if let known = DefaultValues.box(at: box.load(ordering: .acquiring)) { return known.values }
    let made = Box((0..<owner.slotCount).map { PropertyValue.makeDefault(owner.property(atSlot: $0)) })
    let address = UInt(bitPattern: Unmanaged.passRetained(made).toOpaque())
    let (isKept, other) = box.compareExchange(
      expected: 0, desired: address, ordering: .acquiringAndReleasing)
    if !isKept { Unmanaged.passUnretained(made).release() }
    return (DefaultValues.box(at: other) ?? made).values
  }

  private static func box(at address: UInt) -> Box? {
    UnsafeRawPointer(bitPattern: address).map { Unmanaged<Box>.fromOpaque($0).takeUnretainedValue() }
  }
}
