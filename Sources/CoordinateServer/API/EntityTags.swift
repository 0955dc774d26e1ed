internal import CoordinateSessions
internal import MicroHTTPD

/// What tells the route of one version of a session from all others, also other sessions' and other versions' of the app:
/// a strong entity tag, `"4-1k2m3n-9x8y7z"`.
struct RouteTag {
    let version: Int
    private let session: Substring
    private let app: Substring?

    static func text(version: Int, session: SessionID, app: HostedApp) -> String {
        "\"\(version)-\(session.fingerprint)-\(app.versionFingerprint)\""
    }

    /// Nil for a tag that is not one of ours.
    init?(_ tag: Substring) {
        let parts = tag.dropFirst().dropLast().split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, let version = Int(parts[0]), version >= 0 else { return nil }
        self.version = version
        session = parts[1]
        app = parts.count == 3 ? parts[2] : nil
    }

    func isOf(_ session: SessionID) -> Bool { self.session == session.fingerprint }

    func isOf(_ app: HostedApp) -> Bool { self.app.map { $0 == app.versionFingerprint } ?? false }
}

/// A list of entity tags as a header has it: `"4-x", W/"5-x"`, or `*` for any (RFC 9110, section 8.8.3).
struct EntityTags: Equatable, Sendable {
    private(set) var isAny = false
    private(set) var strong: [Substring] = []
    private(set) var weak: [Substring] = []

    /// Reads a header, up to where it is no list of tags any more.
    init(_ header: String) {
        var rest = header[...]
        func skip(_ characters: Set<Character>) { rest = rest.drop { characters.contains($0) } }
        skip([" ", "\t"])
        isAny = rest == "*"
        while !isAny {
            skip([" ", "\t", ","])
            let isWeak = rest.hasPrefix("W/")
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return }
            let tag = rest[...end]
            if isWeak { weak.append(tag) } else { strong.append(tag) }
            rest = rest[rest.index(after: end)...]
        }
    }

    /// Whether a tag is among them, by the weak comparison.
    func include(_ tag: String) -> Bool {
        isAny || strong.contains(tag[...]) || weak.contains(tag[...])
    }

    /// The versions of a session that may be changed by who sends these with `If-Match`: by the strong comparison, so
    /// that a weak tag is equal to nothing. Another version of the app may have shown them.
    func versionsToChange(of session: SessionID?) -> VersionCondition.Versions {
        isAny
            ? .any
            : .some(strong.compactMap(RouteTag.init).filter { tag in session.map(tag.isOf) == true }.map(\.version))
    }

    /// The versions of a session that are known to who sends these with `If-None-Match`: by the weak comparison, and as
    /// this version of the app shows them.
    func versionsKnown(of session: SessionID?, app: HostedApp) -> VersionCondition.Versions {
        isAny
            ? .any
            : .some(
                (strong + weak).compactMap(RouteTag.init)
                    .filter { tag in session.map(tag.isOf) == true && tag.isOf(app) }.map(\.version))
    }
}

/// The response to a `GET` of something that seldom changes: whole, or without what the client has already.
struct TaggedResponse: Sendable {
    private let tag: String
    let whole: HTTPResponse
    private let notModified: HTTPResponse

    /// - Parameters:
    ///   - content: The bytes that the tag stands for.
    ///   - cacheControl: How long, and by whom, it may be kept.
    ///   - make: Makes the whole response, with these headers among its own.
    init(to content: [UInt8], cacheControl: HTTPField.Value, _ make: (_ caching: HTTPFields) -> HTTPResponse) {
        tag = "\"\(String(content.fingerprint, radix: 36))\""
        let caching: HTTPFields = [.eTag: HTTPField.Value(tag), .cacheControl: cacheControl]
        whole = make(caching)
        notModified = HTTPResponse(status: 304, headers: caching)
    }

    /// The response that a request is to have: nothing is sent that the client has (RFC 9110, section 13.1.2).
    func response(to request: borrowing HTTPRequest) -> HTTPResponse {
        request.entityTags(.ifNoneMatch)?.include(tag) == true ? notModified : whole
    }
}
