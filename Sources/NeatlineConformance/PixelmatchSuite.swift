import Neatline

/// Proves the picture comparison on pixelmatch's own pictures: the counts of pixelmatch 7.2.0.
enum PixelmatchSuite {
  private static let counts: [(a: String, b: String, threshold: Double, count: Int)] = [
    ("1a", "1b", 0.05, 143), ("1a", "1b", 0.1, 106), ("2a", "2b", 0.05, 12437), ("3a", "3b", 0.05, 212),
    ("4a", "4b", 0.05, 36049),
    ("5a", "5b", 0.05, 6), ("6a", "6b", 0.05, 51), ("6a", "6a", 0.05, 0), ("7a", "7b", 0.1, 2448),
    ("8a", "5b", 0.05, 32896),
  ]

  static func cases(_ setting: Setting) -> [Case] {
    counts.map { one in
      Case(name: "\(one.a)-\(one.b)-\(one.threshold)") {
        let a = try Picture.png(Files.read("\(setting.directory)/\(one.a).png"))
        let b = try Picture.png(Files.read("\(setting.directory)/\(one.b).png"))
        guard a.width == b.width, a.height == b.height else { throw Failure("sizes differ") }
        let found = Pixelmatch.compare(a, b, threshold: one.threshold).differing
        if found != one.count { throw Failure("\(found) pixels differ, \(one.count) expected") }
      }
    }
  }
}
