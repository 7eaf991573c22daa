import CNeatline
import NeatTile
import Testing

/// The structures of `NeatTile`, which imports no header, lie in memory as the header's do.
@Suite struct ArrowLayoutTests {
  @Test func theSchemaIsTheHeaders() {
    #expect(MemoryLayout<ArrowSchemaC>.size == MemoryLayout<ArrowSchema>.size)
    #expect(MemoryLayout<ArrowSchemaC>.stride == MemoryLayout<ArrowSchema>.stride)
    #expect(MemoryLayout<ArrowSchemaC>.alignment == MemoryLayout<ArrowSchema>.alignment)
    #expect(
      [
        MemoryLayout<ArrowSchemaC>.offset(of: \.format), MemoryLayout<ArrowSchemaC>.offset(of: \.name),
        MemoryLayout<ArrowSchemaC>.offset(of: \.metadata), MemoryLayout<ArrowSchemaC>.offset(of: \.flags),
        MemoryLayout<ArrowSchemaC>.offset(of: \.childCount),
        MemoryLayout<ArrowSchemaC>.offset(of: \.children),
        MemoryLayout<ArrowSchemaC>.offset(of: \.dictionary),
        MemoryLayout<ArrowSchemaC>.offset(of: \.release),
        MemoryLayout<ArrowSchemaC>.offset(of: \.privateData),
      ] == [
        MemoryLayout<ArrowSchema>.offset(of: \.format), MemoryLayout<ArrowSchema>.offset(of: \.name),
        MemoryLayout<ArrowSchema>.offset(of: \.metadata), MemoryLayout<ArrowSchema>.offset(of: \.flags),
        MemoryLayout<ArrowSchema>.offset(of: \.n_children), MemoryLayout<ArrowSchema>.offset(of: \.children),
        MemoryLayout<ArrowSchema>.offset(of: \.dictionary), MemoryLayout<ArrowSchema>.offset(of: \.release),
        MemoryLayout<ArrowSchema>.offset(of: \.private_data),
      ])
  }

  @Test func theArrayIsTheHeaders() {
    #expect(MemoryLayout<ArrowArrayC>.size == MemoryLayout<ArrowArray>.size)
    #expect(MemoryLayout<ArrowArrayC>.stride == MemoryLayout<ArrowArray>.stride)
    #expect(MemoryLayout<ArrowArrayC>.alignment == MemoryLayout<ArrowArray>.alignment)
    #expect(
      [
        MemoryLayout<ArrowArrayC>.offset(of: \.length), MemoryLayout<ArrowArrayC>.offset(of: \.nullCount),
        MemoryLayout<ArrowArrayC>.offset(of: \.offset), MemoryLayout<ArrowArrayC>.offset(of: \.bufferCount),
        MemoryLayout<ArrowArrayC>.offset(of: \.childCount), MemoryLayout<ArrowArrayC>.offset(of: \.buffers),
        MemoryLayout<ArrowArrayC>.offset(of: \.children), MemoryLayout<ArrowArrayC>.offset(of: \.dictionary),
        MemoryLayout<ArrowArrayC>.offset(of: \.release), MemoryLayout<ArrowArrayC>.offset(of: \.privateData),
      ] == [
        MemoryLayout<ArrowArray>.offset(of: \.length), MemoryLayout<ArrowArray>.offset(of: \.null_count),
        MemoryLayout<ArrowArray>.offset(of: \.offset), MemoryLayout<ArrowArray>.offset(of: \.n_buffers),
        MemoryLayout<ArrowArray>.offset(of: \.n_children), MemoryLayout<ArrowArray>.offset(of: \.buffers),
        MemoryLayout<ArrowArray>.offset(of: \.children), MemoryLayout<ArrowArray>.offset(of: \.dictionary),
        MemoryLayout<ArrowArray>.offset(of: \.release), MemoryLayout<ArrowArray>.offset(of: \.private_data),
      ])
  }
}
