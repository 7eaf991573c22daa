import NeatBase

/// A program that stands beside the tests, and its runs.
package struct TestProgram: Sendable {
  package let path: String

  /// nil where there is none of that name.
  package init?(_ name: String) {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    var candidates = CommandLine.arguments
    if count > 0 {
      candidates.append(String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    for candidate in candidates {
      guard let slash = candidate.lastIndex(of: "/") else { continue }
      let program = candidate[..<slash] + "/" + name
      if access(String(program), X_OK) == 0 {
        path = String(program)
        return
      }
    }
    return nil
  }

  /// Runs to the end: the exit status, or minus the signal; what was printed.
  package func run(_ arguments: [String]) -> (status: Int32, output: String) {
    let folder = WorkFolder()
    let output = folder.file("output")
    var pid = pid_t()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    let started = posix_spawn(&pid, path, &actions, nil, &words, environ)
    guard started == 0 else { return (started, "\(path) cannot be started") }
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    return (
      status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f),
      String(decoding: folder.read("output"), as: UTF8.self)
    )
  }
}
