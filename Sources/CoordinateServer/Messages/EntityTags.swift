internal import CoordinateSessions
package import MicroHTTPD

/// The entity tag of a route, such as `"4-1k2m3n-9x8y7z"`. It is strong, and differs for each session, version and app
/// version.
struct RouteTag {
    let version: Int
    private let session: Substring
    private let app: Substring?

    static func text(version: Int, session: SessionID, app: HostedApp) -> String {
        "\"\(version)-\(session.fingerprint)-\(app.versionFingerprint)\""
    }

    /// Reads a tag; `nil` if it has another form.
    init?(_ tag: Substring) {
        let parts = tag.utf8.dropFirst().dropLast().split(
            separator: UInt8(ascii: "-"), omittingEmptySubsequences: false
        )
        .map(Substring.init)
        // Tags are compared byte by byte, so a version must not have a sign or leading zeros.
        guard parts.count == 2 || parts.count == 3, let version = Int(parts[0]), parts[0] == "\(version)" else {
            return nil
        }
        self.version = version
        session = parts[1]
        app = parts.count == 3 ? parts[2] : nil
    }

    func isOf(_ session: SessionID) -> Bool { self.session == session.fingerprint }

    func isOf(_ app: HostedApp) -> Bool { self.app.map { $0 == app.versionFingerprint } ?? false }
}

/// The entity tags of a header: `"4-x", W/"5-x"`, or `*` for any (RFC 9110, section 8.8.3).
package struct EntityTags: Equatable, Sendable {
    private(set) var isAny = false
    private(set) var strong: [Substring] = []
    private(set) var weak: [Substring] = []

    /// Reads a header, up to the first malformed tag.
    init(_ header: String) {
        // Compares bytes, because a combining character may follow a quote.
        let (blank, tab, comma, quote) = (UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ","), UInt8(ascii: "\""))
        var remaining = header.utf8.drop { $0 == blank || $0 == tab }
        isAny = remaining.elementsEqual("*".utf8)
        while !isAny {
            remaining = remaining.drop { $0 == blank || $0 == tab || $0 == comma }
            let isWeak = remaining.starts(with: "W/".utf8)
            if isWeak { remaining = remaining.dropFirst(2) }
            guard remaining.first == quote, let end = remaining.dropFirst().firstIndex(of: quote) else { return }
            let tag = Substring(remaining[...end])
            if isWeak { weak.append(tag) } else { strong.append(tag) }
            remaining = remaining[remaining.index(after: end)...]
        }
    }

    /// Whether a tag is among them, by the weak comparison.
    func include(_ tag: String) -> Bool {
        isAny || strong.contains(tag[...]) || weak.contains(tag[...])
    }

    /// The versions of a session that a client accepts for a change when it sends these tags with `If-Match`. By the
    /// strong comparison, a weak tag matches none. The tags may come from another version of the app.
    func versionsToChange(of session: SessionID?) -> VersionCondition.Versions {
        isAny
            ? .any
            : .some(strong.compactMap(RouteTag.init).filter { tag in session.map(tag.isOf) == true }.map(\.version))
    }

    /// The versions of a session that a client knows when it sends these tags with `If-None-Match`. By the weak
    /// comparison, for this version of the app.
    func versionsKnown(of session: SessionID?, app: HostedApp) -> VersionCondition.Versions {
        isAny
            ? .any
            : .some(
                (strong + weak).compactMap(RouteTag.init)
                    .filter { tag in session.map(tag.isOf) == true && tag.isOf(app) }.map(\.version))
    }
}

/// The response to a `GET` of something that seldom changes: the whole content, or 304 if the client has it already.
package struct TaggedResponse: Sendable {
    private let tag: String
    let whole: HTTPResponse
    private let notModified: HTTPResponse

    /// - Parameters:
    ///   - content: The bytes that the tag stands for.
    ///   - cacheControl: The rule by which clients and proxies may cache it.
    ///   - make: Creates the whole response, including the given headers.
    package init(
        to content: [UInt8], cacheControl: String, _ make: (_ caching: HTTPFields) -> HTTPResponse
    ) {
        self.init(tag: String(content.fingerprint, radix: 36), cacheControl: cacheControl, make)
    }

    /// - Parameter tag: The hash of the content, without quotation marks.
    init(tag: String, cacheControl: String, _ make: (_ caching: HTTPFields) -> HTTPResponse) {
        let tag = "\"\(tag)\""
        self.tag = tag
        let caching: HTTPFields = [.eTag: tag, .cacheControl: cacheControl]
        whole = make(caching)
        notModified = HTTPResponse(status: .notModified, headers: caching, body: whole.body)
    }

    /// The response to a request, without a body if the client has it already (RFC 9110, section 13.1.2).
    ///
    /// - Parameter isJSON: Whether the content may be indented, and then has no tag.
    package func response(to request: borrowing HTTPRequest, isJSON: Bool = true) -> HTTPResponse {
        response(unless: request.knownTags(isJSON: isJSON))
    }

    /// The response to a client, without a body if it has the content with one of these tags; `nil` for none.
    package func response(unless known: EntityTags?) -> HTTPResponse {
        known?.include(tag) == true ? notModified : whole
    }
}
