// What tests of the HTTP service start as other processes, as a process has one service for good.
//
//   NeatHTTPWorker SCENARIO     plays one of `scenarios`; prints what is wrong, and then ends with 1
import Glibc

guard CommandLine.arguments.count == 2, let scenario = scenarios[CommandLine.arguments[1]] else {
  print("usage: NeatHTTPWorker \(scenarios.keys.sorted().joined(separator: "|"))")
  exit(2)
}
do { try scenario() } catch { expect(false, "\(error)") }
exit(isPassed ? 0 : 1)
