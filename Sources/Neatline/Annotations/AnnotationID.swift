/// Ids that nothing else has: 128 random bits.
public enum AnnotationID {
  /// The next one.
  public static func next() -> String {
    let (high, low) = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
    return String(high, radix: 36) + "-" + String(low, radix: 36)
  }
}
