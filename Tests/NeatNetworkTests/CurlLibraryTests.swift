import CCurl
import Testing

@Suite struct CurlLibraryTests {
  private func fault(_ name: String, own: String? = nil) -> String? {
    var reason = [CChar](repeating: 0, count: 512)
    guard curl_library_try(own, name, &reason, reason.count) != 0 else { return nil }
    return String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  @Test func theSystemsIsLoaded() {
    var reason = [CChar](repeating: 7, count: 8)
    #expect(curl_library_load(&reason, reason.count) == 0)
    #expect(curl_library_load(&reason, reason.count) == 0)
    #expect(reason.allSatisfy { $0 == 7 }, "nothing is said")
    #expect(fault("libcurl.so.4") == nil)
  }

  @Test func whyOneCannotBeUsedIsSaid() {
    let missing = fault("libcurl-nowhere.so.4")
    #expect(missing?.contains("libcurl-nowhere.so.4") == true && missing?.contains("No such file") == true)
    #expect(fault("libz.so.1") == "libz.so.1 has no curl_version_info")
  }

  @Test func aCopyOfOursThatIsThereAndCannotBeUsedIsNamed() {
    let nowhere = "libcurl-nowhere.so.4"
    let both = fault(nowhere, own: "libz.so.1")
    #expect(both?.hasPrefix("libz.so.1 has no curl_version_info; \(nowhere): ") == true)
    #expect(fault("libz.so.1", own: nowhere) == "libz.so.1 has no curl_version_info")
    #expect(fault("libcurl.so.4", own: nowhere) == nil)
  }

  @Test func textThatIsTooLongIsCut() {
    var reason = [CChar](repeating: 1, count: 8)
    #expect(curl_library_try(nil, "libz.so.1", &reason, reason.count) != 0)
    #expect(reason.map { UInt8(bitPattern: $0) } == Array("libz.so\0".utf8))
  }
}
