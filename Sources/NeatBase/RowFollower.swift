/// Work on a picture that begins while other parts of it are drawn: of each piece as soon as the rows are there that
/// it reads.
package protocol RowFollower: AnyObject, Sendable {
  var pieceCount: Int { get }
  /// The rows that a piece reads, some of the picture's.
  func rows(of piece: Int) -> Range<Int>
  /// Does a piece, on any thread; each is done once.
  func work(_ piece: Int)
  /// All is drawn and done.
  func end()
}
