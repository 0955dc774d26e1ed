internal import CZlib

/// Content in the coding `gzip` (RFC 1952).
package enum Gzip {
    /// Returns the compressed content, in time that is linear in its size. It does not contain a date, so the same content
    /// is always compressed to the same bytes.
    package static func compress(_ content: [UInt8]) -> [UInt8] {
        var stream = unsafe z_stream()
        // 15 is the size of zlib's window, and 16 adds the header and the checksum of gzip. 8 is the default for memory.
        var status = unsafe deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            CInt(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib cannot compress (error \(status))")
        defer { unsafe deflateEnd(&stream) }
        let bound = unsafe Int(deflateBound(&stream, UInt(content.count)))
        return unsafe [UInt8](unsafeUninitializedCapacity: bound) { compressed, count in
            unsafe content.withUnsafeBufferPointer { content in
                // zlib only reads its input.
                unsafe stream.next_in = unsafe UnsafeMutablePointer(mutating: content.baseAddress)
                unsafe stream.avail_in = UInt32(content.count)
                unsafe stream.next_out = compressed.baseAddress
                unsafe stream.avail_out = UInt32(bound)
                status = unsafe deflate(&stream, Z_FINISH)
            }
            precondition(status == Z_STREAM_END, "zlib did not compress everything (status \(status))")
            count = unsafe Int(stream.total_out)
        }
    }
}
