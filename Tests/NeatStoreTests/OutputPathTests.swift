import NeatBase
import Testing

@testable import NeatStore

/// Where archives go that are renamed into their place.
struct OutputPathTests {
  private let folder: String

  init() {
    var template = Array("/tmp/neatline-XXXXXX".utf8CString)
    folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
  }

  private func make(_ name: String) { close(open("\(folder)/\(name)", O_CREAT | O_WRONLY, 0o644)) }

  private func end(_ names: String...) {
    for name in names { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  @Test func linksAreFollowedAlsoToWhatIsNotThere() throws {
    defer { end("a", "b", "c") }
    symlink("b", "\(folder)/a")
    symlink("\(folder)/c", "\(folder)/b")
    #expect(try OutputPath.resolve("\(folder)/a", overwrites: false) == "\(folder)/c")
    make("c")
    #expect(try OutputPath.resolve("\(folder)/a", overwrites: true) == "\(folder)/c")
    #expect { try OutputPath.resolve("\(folder)/a", overwrites: false) } throws: {
      ($0 as? NeatError)?.code == .state
    }
  }

  @Test func ringsOfLinksAndWhatIsNoFileAreErrors() throws {
    defer { end("a", "b", "pipe") }
    symlink("b", "\(folder)/a")
    symlink("a", "\(folder)/b")
    #expect { try OutputPath.resolve("\(folder)/a", overwrites: true) } throws: {
      ($0 as? NeatError)?.code == .io
    }
    mkfifo("\(folder)/pipe", 0o644)
    for path in ["\(folder)/pipe", "/dev/null", folder] {
      #expect { try OutputPath.resolve(path, overwrites: true) } throws: {
        ($0 as? NeatError)?.code == .invalidArgument
      }
    }
    #expect(try OutputPath.resolve("\(folder)/new", overwrites: false) == "\(folder)/new")
  }
}
