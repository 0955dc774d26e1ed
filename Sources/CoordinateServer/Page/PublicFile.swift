internal import CoordinateSessions
internal import MicroHTTPD

/// A file of the page: its response, and the one for clients that accept it compressed.
///
/// Holds the content once as it is, and once compressed as soon as a client has accepted that.
final class PublicFile: Sendable {
    /// The largest size of a file that is compressed, in bytes. The worker that compresses it answers nothing else
    /// meanwhile: for this size, about 100 milliseconds, once per file.
    private static let maximumCompressed = 4 * 1024 * 1024

    private let plain: TaggedResponse
    /// `nil` if the content does not become smaller.
    private let compressed = LazyValue<TaggedResponse?>()
    private let type: MediaTypeOfFile
    private let cacheControl: String
    /// Another form of the file, for requests with a query item: the page that loads its modules one by one, with
    /// `?modules`.
    private let variant: Variant?
    typealias Variant = (query: String, file: PublicFile)

    /// - Parameter name: The file's name. If it contains the hash of the content, as in `page.1k2m3n.js`, clients keep
    ///   the file for good. Otherwise they check before each use whether it has changed.
    convenience init(_ content: [UInt8], name: String, variant: Variant? = nil) {
        let hash = Self.hash(of: content)
        let named = name.split(separator: "/").last?.split(separator: ".").dropFirst().dropLast().last
        self.init(content, name, hash, isNamedByHash: named == hash[...], variant)
    }

    private init(_ content: [UInt8], _ name: String, _ hash: String, isNamedByHash: Bool, _ variant: Variant?) {
        type = MediaTypeOfFile(name: name)
        cacheControl = isNamedByHash ? "public, max-age=31536000, immutable" : "no-cache"
        plain = Self.response(content, hash, type, cacheControl)
        self.variant = variant
    }

    /// Creates a file whose name gets the hash of its content: `/page.1k2m3n.js` of `/page.js`.
    static func namedByHash(_ text: String, _ name: String) -> (path: String, file: PublicFile) {
        let content = Array(text.utf8)
        let hash = hash(of: content)
        let suffix = name.lastIndex(of: ".") ?? name.endIndex
        let path = "\(name[..<suffix]).\(hash)\(name[suffix...])"
        return (path, PublicFile(content, path, hash, isNamedByHash: true, nil))
    }

    var content: [UInt8] { plain.whole.body.bytes }

    /// The content as a text.
    var text: String { String(decoding: content, as: UTF8.self) }

    func response(to request: borrowing HTTPRequest) -> HTTPResponse {
        if let variant, request.hasQuery, request.queryValue(variant.query) != nil {
            return variant.file.response(to: request)
        }
        guard type.isText, !type.isJSON || !request.wantsIndentedJSON, request.acceptsGzip(),
            let compressed = compressed.value(compress)
        else { return plain.response(to: request, isJSON: type.isJSON) }
        return compressed.response(to: request, isJSON: type.isJSON)
    }

    private func compress() -> TaggedResponse? {
        let body = plain.whole.body
        guard body.count <= Self.maximumCompressed else { return nil }
        let content = Gzip.compress(body.bytes)
        guard content.count < body.count else { return nil }
        return Self.response(content, Self.hash(of: content), type, cacheControl, [.contentEncoding: "gzip"])
    }

    private static func hash(of content: [UInt8]) -> String { String(content.fingerprint, radix: 36) }

    private static func response(
        _ body: [UInt8], _ hash: String, _ type: MediaTypeOfFile, _ cacheControl: String, _ more: HTTPFields = [:]
    ) -> TaggedResponse {
        var headers: HTTPFields = [
            .contentType: type.name,
            .contentSecurityPolicy: contentSecurityPolicy, .referrerPolicy: "no-referrer",
            .xContentTypeOptions: "nosniff",
        ]
        if type.isText { headers[.vary] = "Accept-Encoding" }
        return TaggedResponse(tag: hash, cacheControl: cacheControl) { caching in
            HTTPResponse(status: .ok, headers: caching + headers + more, body: body)
        }
    }

    /// Allows nothing from other origins, no inline script or style, and no framing. The inspector converts its own
    /// drawings to PNG, so it loads images that it has made.
    private static let contentSecurityPolicy: String =
        "default-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

/// The media type of a file, by the end of its name.
private struct MediaTypeOfFile {
    let name: String
    /// Whether compressing makes it smaller. Pictures and fonts are compressed by their own formats.
    let isText: Bool
    var isJSON: Bool { name == MediaType.json }

    init(name: String) {
        let suffix = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let text = Self.texts[suffix]
        self.name = text ?? Self.others[suffix] ?? "application/octet-stream"
        isText = text != nil
    }

    private static let texts = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "json": MediaType.json, "svg": "image/svg+xml", "txt": "text/plain; charset=utf-8",
    ]
    private static let others = [
        "png": "image/png", "ico": "image/x-icon", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
        "webp": "image/webp", "avif": "image/avif", "woff2": "font/woff2", "gz": "application/gzip",
    ]
}
