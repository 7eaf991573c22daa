/// The indices of a longest strictly increasing subsequence, in n log n: patience sorting, where pile `k` has
/// the smallest value that a subsequence of `k + 1` values can end with, and each value remembers the one
/// before it (C. Schensted, Longest increasing and decreasing subsequences, 1961). Of several such subsequences
/// it is the one whose values are smallest from the end.
package func longestIncreasingSubsequence(of values: [Int]) -> [Int] {
  var tops: [Int] = []
  var previous = Array(repeating: -1, count: values.count)
  for (index, value) in values.enumerated() {
    var low = 0
    var high = tops.count
    while low < high {
      let middle = (low + high) / 2
      if values[tops[middle]] < value { low = middle + 1 } else { high = middle }
    }
    if low > 0 { previous[index] = tops[low - 1] }
    if low == tops.count { tops.append(index) } else { tops[low] = index }
  }
  var result: [Int] = []
  result.reserveCapacity(tops.count)
  var next = tops.last ?? -1
  while next >= 0 {
    result.append(next)
    next = previous[next]
  }
  return result.reversed()
}
