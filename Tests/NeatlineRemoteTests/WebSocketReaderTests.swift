import Glibc
import NeatlineRemote
import Testing

/// A frame as clients send it.
private func frame(
  _ opcode: UInt8, _ payload: [UInt8] = [], isLast: Bool = true, isMasked: Bool = true, reserved: UInt8 = 0,
  length: [UInt8]? = nil
) -> [UInt8] {
  let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
  var bytes = [(isLast ? 0x80 : 0) | reserved << 4 | opcode]
  let bit: UInt8 = isMasked ? 0x80 : 0
  if let length {
    bytes += [length[0] | bit] + length[1...]
  } else if payload.count < 126 {
    bytes.append(bit | UInt8(payload.count))
  } else if payload.count < 65536 {
    bytes += [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
  } else {
    bytes.append(bit | 127)
    for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(payload.count >> shift & 255)) }
  }
  guard isMasked else { return bytes + payload }
  return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
}

/// All that a reader makes of bytes, and what it ends with.
private func read(_ bytes: [UInt8], limit: Int = 1 << 16, pieces: Int? = nil) -> (
  [WebSocketEvent], WebSocketFault?
) {
  var reader = WebSocketReader(messageLimit: limit)
  var events: [WebSocketEvent] = []
  do throws(WebSocketFault) {
    var at = 0
    while at < bytes.count {
      let end = min(bytes.count, at + (pieces ?? bytes.count))
      reader.append(bytes[at..<end])
      at = end
      while let event = try reader.next() { events.append(event) }
      // A frame's head is at most 14 bytes; a frame of control stands between the pieces of a message.
      if let pieces { #expect(reader.waitingBytes < max(limit, 125) + 14 + pieces) }
    }
    return (events, nil)
  } catch {
    return (events, error)
  }
}

private func code(_ bytes: [UInt8], limit: Int = 1 << 16) -> WebSocketCloseCode? {
  let (_, fault) = read(bytes, limit: limit)
  return fault?.code
}

@Suite struct WebSocketReaderTests {
  /// The example of RFC 6455, section 5.7.
  @Test func readsTheSpecificationsMaskedHello() {
    let bytes: [UInt8] = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]
    #expect(read(bytes).0 == [.text("Hello")])
  }

  @Test(arguments: [0, 1, 125, 126, 127, 65535, 65536]) func readsEachFormOfLength(count: Int) {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    #expect(read(frame(2, payload)).0 == [.binary(payload)])
  }

  @Test func piecesOfAnySizeGiveTheSameMessages() {
    let bytes =
      frame(1, Array("grüß".utf8)) + frame(9, [1, 2]) + frame(2, [UInt8](repeating: 7, count: 300))
      + frame(10)
      + frame(8, [0x03, 0xE8])
    let whole = read(bytes)
    #expect(whole.1 == nil && whole.0.count == 5)
    #expect(whole.0.last == .close(code: 1000, reason: ""))
    for pieces in 1...20 { #expect(read(bytes, pieces: pieces).0 == whole.0) }
  }

  @Test func putsFragmentsTogetherAroundFramesOfControl() {
    let word = Array("zwölf".utf8)
    // Cut within a character.
    let bytes =
      frame(1, Array(word[..<3]), isLast: false) + frame(9, [5]) + frame(0, [], isLast: false)
      + frame(0, Array(word[3...]))
    #expect(read(bytes).0 == [.ping([5]), .text("zwölf")])
  }

  @Test func framesThatTheProtocolForbidsCloseWith1002() {
    #expect(code(frame(1, [65], isMasked: false)) == .protocolError)
    for reserved in UInt8(1)...7 { #expect(code(frame(1, [65], reserved: reserved)) == .protocolError) }
    for opcode in [UInt8](3...7) + [11, 12, 13, 14, 15] { #expect(code(frame(opcode)) == .protocolError) }
    #expect(code(frame(9, [1], isLast: false)) == .protocolError)
    #expect(code(frame(9, [UInt8](repeating: 0, count: 126))) == .protocolError)
    #expect(code(frame(0, [65])) == .protocolError)
    #expect(code(frame(1, [65], isLast: false) + frame(1, [65])) == .protocolError)
    #expect(code(frame(1, [65], isLast: false) + frame(0, [65]) + frame(0, [65])) == .protocolError)
    // Lengths in a longer form than they need, and below zero.
    #expect(code(frame(1, length: [126, 0, 125])) == .protocolError)
    #expect(code(frame(1, length: [127, 0, 0, 0, 0, 0, 0, 255, 255])) == .protocolError)
    #expect(code(frame(1, length: [127, 128, 0, 0, 0, 0, 0, 0, 0])) == .protocolError)
  }

  @Test func lengthsAreLookedAtBeforeAnythingIsKept() {
    #expect(code(frame(2, length: [127, 127, 255, 255, 255, 255, 255, 255, 255])) == .messageTooBig)
    #expect(code(frame(2, length: [126, 1, 1]), limit: 256) == .messageTooBig)
    #expect(read(frame(2, [UInt8](repeating: 0, count: 256)), limit: 256).0.count == 1)
    // Pieces of a message together, too.
    let piece = [UInt8](repeating: 0, count: 100)
    let bytes = frame(2, piece, isLast: false) + frame(0, piece, isLast: false) + frame(0, piece)
    #expect(code(bytes, limit: 299) == .messageTooBig)
    #expect(read(bytes, limit: 300).0 == [.binary(piece + piece + piece)])
  }

  @Test func emptyFragmentsWithoutEndKeepNothing() {
    var reader = WebSocketReader(messageLimit: 128)
    reader.append(frame(1, [], isLast: false))
    for _ in 0..<10_000 {
      reader.append(frame(0, [], isLast: false))
      while let event = try? reader.next() { Issue.record("\(event)") }
      #expect(reader.waitingBytes == 0)
    }
  }

  @Test func textIsUTF8OrClosesWith1007() {
    for bytes: [UInt8] in [
      [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
      [0xF8, 0x88, 0x80, 0x80, 0x80],
    ] {
      #expect(code(frame(1, bytes)) == .invalidData)
      #expect(code(frame(8, [0x03, 0xE8] + bytes)) == .invalidData)
    }
  }

  @Test func closesCarryACodeThatMayBeSent() {
    #expect(read(frame(8)).0 == [.close(code: nil, reason: "")])
    #expect(
      read(frame(8, [0x0F, 0xA0] + Array("tschüss".utf8))).0 == [.close(code: 4000, reason: "tschüss")])
    #expect(code(frame(8, [3])) == .protocolError)
    for number: UInt16 in [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535] {
      #expect(code(frame(8, [UInt8(number >> 8), UInt8(number & 255)])) == .protocolError, "\(number)")
    }
  }

  @Test func nothingComesAfterAClose() {
    #expect(read(frame(8) + frame(1, [65])).0 == [.close(code: nil, reason: "")])
  }

  @Test func aFaultIsTheLastThing() {
    var reader = WebSocketReader(messageLimit: 128)
    reader.append(frame(3))
    #expect(throws: WebSocketFault.self) { try reader.next() }
    reader.append(frame(1, [65]))
    #expect(throws: WebSocketFault.self) { try reader.next() }
    #expect(reader.waitingBytes == 0)
  }

  /// Frames of random kinds, mutated and cut into random pieces, give events or a fault, and the reader keeps no
  /// more than a message and a piece. NEATLINE_FUZZ_FRAMES is the number of rounds.
  @Test func bytesAtRandomNeverEndInAnythingButEventsAndFaults() {
    var random = Random(seed: 7)
    for _ in 0..<(getenv("NEATLINE_FUZZ_FRAMES").flatMap { Int(String(cString: $0)) } ?? 3000) {
      var bytes: [UInt8] = []
      for _ in 0..<random.below(6) + 1 {
        let payload = (0..<random.below(200)).map { _ in UInt8(random.below(256)) }
        bytes += frame(
          [0, 1, 2, 8, 9, 10, 3][random.below(7)], payload, isLast: random.below(4) > 0,
          isMasked: random.below(16) > 0)
      }
      for _ in 0..<random.below(4) where !bytes.isEmpty {
        switch random.below(3) {
        case 0: bytes[random.below(bytes.count)] = UInt8(random.below(256))
        case 1: bytes.remove(at: random.below(bytes.count))
        default: bytes.insert(UInt8(random.below(256)), at: random.below(bytes.count))
        }
      }
      let whole = read(bytes, limit: 512)
      let size = random.below(16) + 1
      let pieces = read(bytes, limit: 512, pieces: size)
      #expect(whole.0 == pieces.0 && whole.1 == pieces.1)
      for case .binary(let message) in whole.0 { #expect(message.count <= 512) }
    }
  }
}

@Suite struct WebSocketWriterTests {
  @Test func framesAreWholeAndWithoutAMask() {
    #expect(WebSocketWriter.text("Hello") == [0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f])
    #expect(WebSocketWriter.pong([1, 2]) == [0x8A, 2, 1, 2])
    #expect(WebSocketWriter.ping() == [0x89, 0])
    #expect(
      Array(WebSocketWriter.binary([UInt8](repeating: 0, count: 126)).prefix(4)) == [0x82, 126, 0, 126])
    #expect(
      Array(WebSocketWriter.binary([UInt8](repeating: 0, count: 65536)).prefix(10))
        == [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0])
  }

  @Test func aReasonIsCutBetweenCharacters() {
    #expect(WebSocketWriter.close(.normal) == [0x88, 2, 0x03, 0xE8])
    let frame = WebSocketWriter.close(.tryAgainLater, String(repeating: "ü", count: 100))
    #expect(frame.count == 2 + 2 + 122 && frame[1] == 124)
    #expect(String(validating: frame[4...], as: UTF8.self) == String(repeating: "ü", count: 61))
  }
}

/// Numbers that are the same each time.
struct Random {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }
}
