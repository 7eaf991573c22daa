import Glibc

/// Runs each case in a process of its own, several at a time, so that a crash or a hang costs that case only.
struct WorkerPool {
  /// Milliseconds that a case may take.
  static let timeout: Int64 = 20_000

  private let setting: Setting

  init(_ setting: Setting) { self.setting = setting }

  private struct Job {
    var index: Int
    var pid: pid_t
    var output: Int32
    var deadline: Int64
    var text: [UInt8] = []
  }

  func run(_ names: [String]) -> [Outcome] {
    var outcomes = names.map { Outcome(name: $0, reason: "not run") }
    var jobs: [Job] = []
    var next = 0
    while next < names.count || !jobs.isEmpty {
      while next < names.count, jobs.count < setting.jobs {
        if let job = start(names[next], next) {
          jobs.append(job)
        } else {
          outcomes[next].reason = "no process could be started"
        }
        next += 1
      }
      var polled = jobs.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
      _ = poll(&polled, nfds_t(polled.count), 200)
      for index in jobs.indices.reversed() {
        var isOver = false
        if polled[index].revents != 0 { isOver = !drain(&jobs[index]) }
        let isLate = now() > jobs[index].deadline
        if isOver || isLate {
          if isLate && !isOver { kill(jobs[index].pid, SIGKILL) }
          finish(jobs[index], isLate: isLate && !isOver, &outcomes[jobs[index].index])
          jobs.remove(at: index)
        }
      }
    }
    return outcomes
  }

  private func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Reads what is there; false at the end.
  private func drain(_ job: inout Job) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = read(job.output, &chunk, chunk.count)
    if count > 0 { job.text += chunk[..<count] }
    return count > 0 || count < 0 && errno == EINTR
  }

  private func start(_ name: String, _ index: Int) -> Job? {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    var words = [
      "neatline-conformance", setting.suite, setting.directory, "--assets", setting.assets, "--worker", name,
    ]
    if let report = setting.report { words += ["--report", report] }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid: pid_t = 0
    let status = posix_spawn(&pid, "/proc/self/exe", &actions, nil, &arguments, environ)
    close(ends[1])
    guard status == 0 else {
      close(ends[0])
      return nil
    }
    return Job(index: index, pid: pid, output: ends[0], deadline: now() + WorkerPool.timeout)
  }

  private func finish(_ job: Job, isLate: Bool, _ outcome: inout Outcome) {
    close(job.output)
    var status: Int32 = 0
    while waitpid(job.pid, &status, 0) < 0, errno == EINTR {}
    let lines = String(decoding: job.text, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: true)
    if isLate {
      outcome.reason = "no answer within \(WorkerPool.timeout / 1000) s"
      return
    }
    guard let line = lines.last(where: { $0.hasPrefix("RESULT\t") }) else {
      let signal = status & 0x7F
      outcome.reason =
        signal != 0
        ? "crashed: \(String(cString: strsignal(signal)))" : "ended with status \(status >> 8 & 0xFF)"
      return
    }
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    outcome.blankPasses = fields.count > 1 && fields[1] == "1"
    outcome.reason = fields.count > 2 && !fields[2].isEmpty ? fields[2] : nil
    outcome.pictures = fields.dropFirst(3).filter { !$0.isEmpty }
  }

  /// The worker's side: writes the outcome of one case.
  static func answer(_ outcome: Outcome) {
    let line =
      (["RESULT", outcome.blankPasses ? "1" : "0", outcome.reason ?? ""] + outcome.pictures).joined(
        separator: "\t") + "\n"
    let bytes = Array(("\n" + line).utf8)
    _ = write(1, bytes, bytes.count)
    _exit(0)
  }
}
