import CZlib
import MicroHTTPD
import Testing

struct GzipTests {
    @Test(arguments: [0, 1, 100, 100_000])
    func compressedContentIsTheSameWhenExpanded(size: Int) {
        let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 * $0 >> 5) }
        let compressed = Gzip.compress(content)
        #expect(compressed.starts(with: [0x1F, 0x8B]))
        #expect(Gzip.compress(content) == compressed)
        #expect(Self.expand(compressed, toAtMost: size + 1) == content)
    }

    private static func expand(_ compressed: [UInt8], toAtMost size: Int) -> [UInt8]? {
        var compressed = compressed
        var stream = z_stream()
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var status = Z_OK
        let content = [UInt8](unsafeUninitializedCapacity: size) { content, count in
            compressed.withUnsafeMutableBufferPointer { compressed in
                stream.next_in = compressed.baseAddress
                stream.avail_in = UInt32(compressed.count)
                stream.next_out = content.baseAddress
                stream.avail_out = UInt32(size)
                status = inflate(&stream, Z_FINISH)
            }
            count = Int(stream.total_out)
        }
        return status == Z_STREAM_END ? content : nil
    }
}
