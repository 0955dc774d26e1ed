internal import CoordinateSessions
internal import MicroHTTPD

/// A file of the page: its response, and the one for clients that accept it compressed.
struct PublicFile: Sendable {
    private let plain: TaggedResponse
    private let compressed: TaggedResponse?
    private let isJSON: Bool

    /// - Parameters:
    ///   - name: The file's name. If it contains the hash of the content, as in `page.1k2m3n.js`, clients keep the file
    ///     for good. Otherwise they check before each use whether it has changed.
    ///   - compressed: The content as compressed by gzip. It is ignored if it belongs to another content.
    init(_ content: [UInt8], name: String, compressed: [UInt8]? = nil) {
        let hash = String(content.fingerprint, radix: 36)
        let isHashed = name.split(separator: "/").last?.split(separator: ".").dropFirst().dropLast().last == hash[...]
        let cacheControl: String = isHashed ? "public, max-age=31536000, immutable" : "no-cache"
        let type = Self.mediaType(of: name)
        isJSON = type == MediaType.json
        let headers: HTTPFields = [
            .contentType: type,
            .contentSecurityPolicy: Self.contentSecurityPolicy, .referrerPolicy: "no-referrer",
            .xContentTypeOptions: "nosniff",
        ]
        let compressed = compressed.flatMap { $0.isGzip(of: content) ? $0 : nil }
        func response(_ body: [UInt8], _ more: HTTPFields) -> TaggedResponse {
            TaggedResponse(to: body, cacheControl: cacheControl) { caching in
                HTTPResponse(status: .ok, headers: caching + headers + more, body: body)
            }
        }
        plain = response(content, [:])
        self.compressed = compressed.map { response($0, [.contentEncoding: "gzip"]) }
    }

    func response(to request: borrowing HTTPRequest) -> HTTPResponse {
        guard let compressed, !isJSON || !request.wantsIndentedJSON, request.acceptsGzip() else {
            return plain.response(to: request, isJSON: isJSON)
        }
        return compressed.response(to: request, isJSON: isJSON)
    }

    /// Allows nothing from other origins, no inline script or style, and no framing. The inspector converts its own
    /// drawings to PNG, so it loads images that it has made.
    private static let contentSecurityPolicy: String =
        "default-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    private static func mediaType(of name: String) -> String {
        let suffix = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return mediaTypes[suffix] ?? "application/octet-stream"
    }

    private static let mediaTypes = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "json": "application/json", "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon",
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif",
        "txt": "text/plain; charset=utf-8", "woff2": "font/woff2", "gz": "application/gzip",
    ]
}

extension [UInt8] {
    /// Whether these bytes are a gzip file of some content, by the content's size and checksum at its end (RFC 1952,
    /// section 2.3.1).
    fileprivate func isGzip(of content: [UInt8]) -> Bool {
        guard count >= 18, starts(with: [0x1F, 0x8B]) else { return false }
        func number(at offset: Int) -> UInt32 {
            self[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        return number(at: count - 4) == UInt32(truncatingIfNeeded: content.count)
            && number(at: count - 8) == content.checksum
    }

    /// The CRC-32 of these bytes (RFC 1952, section 8).
    private var checksum: UInt32 {
        let table = (0..<256 as Range<UInt32>).map { byte in
            (0..<8).reduce(byte) { value, _ in value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ value >> 1 }
        }
        return ~reduce(~0) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
    }
}
