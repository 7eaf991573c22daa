import NeatBase
import Synchronization

/// The pictures that the process works on at a moment. They share its processors: one that is alone has them
/// all, and where there are as many as processors each is drawn by the thread that asked for it, so that no
/// thread waits for another. Those that wait for what they load are not counted.
final class PicturesAtWork: Sendable {
  private let count = Atomic(0)

  /// A child of a fork begins with none.
  private static let ofProcess = PerProcess(PicturesAtWork())
  static var current: PicturesAtWork { ofProcess.get { _ in PicturesAtWork() } }

  init() {}

  /// Works on a picture.
  func working<T>(_ body: () throws(NeatError) -> T) throws(NeatError) -> T {
    count.add(1, ordering: .relaxed)
    defer { count.subtract(1, ordering: .relaxed) }
    return try body()
  }

  /// Waits within `working`.
  func waiting<T>(_ body: () -> T) -> T {
    count.subtract(1, ordering: .relaxed)
    defer { count.add(1, ordering: .relaxed) }
    return body()
  }

  /// How many of so many threads a picture has for itself now.
  func share(of threads: Int) -> Int { max(1, threads / max(1, count.load(ordering: .relaxed))) }
}
