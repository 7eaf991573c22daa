import NeatBase

enum ProcessMemory: String {
  /// The most memory that the process has held.
  case peakMemory = "VmHWM:"
  /// The most addresses that it had, touched or not.
  case peakAddresses = "VmPeak:"
}

/// What the system counts of this process, in bytes; 0 where it does not. Other tests run in it too.
func processBytes(_ kind: ProcessMemory) -> Int {
  guard let file = fopen("/proc/self/status", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, 256, file) != nil {
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if text.hasPrefix(kind.rawValue) { return (Int(text.filter { $0.isNumber }) ?? 0) * 1024 }
  }
  return 0
}
