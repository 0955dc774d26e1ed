internal import Coordinate
internal import CoordinateMCP
internal import CoordinateSessions
internal import JSON
internal import MicroHTTPD

/// The host of the tools for agents: the same sessions, documents and problems as over HTTP.
struct ServerTools: ToolHost {
    let sessions: SessionRegistry
    let version: String
    private let sharedCatalog: SharedCatalog

    /// - Parameter version: The version of the server.
    init(sessions: SessionRegistry, catalog: SharedCatalog, version: String) {
        self.sessions = sessions
        self.version = version
        sharedCatalog = catalog
    }

    var catalog: [UInt8] { sharedCatalog.response.body.bytes }

    func event(in body: PlainValue) throws(ToolError) -> EventRequest {
        do throws(Problem) {
            return try EventRequest(body, of: sessions.host.app)
        } catch {
            throw .problem(error.document)
        }
    }

    func document(of route: any EncodedRoute) -> PlainValue {
        // It is this server's own JSON.
        (try? JSONParser.parse(route.published.body.bytes, maximumDepth: RouteDocument.maximumDepth)) ?? .null
    }

    func isSettled(_ route: any EncodedRoute) -> Bool { route.published.isSettled }

    func problem(of error: ToolError) -> PlainValue {
        if case .problem(let document) = error { return document }
        return Problem(error).document
    }
}

extension Problem {
    fileprivate init(_ error: ToolError) {
        switch error {
        case .session(let error): self.init(error)
        case .malformed(let detail, let pointer): self = .malformedRequest(detail, pointer: pointer)
        case .unknownField(let path, let known):
            self = .unknownField(
                at: path, nearest: path.last?.nearest(among: known),
                otherwise: known.isEmpty ? "Leave it out." : "Known are \(known.joined(separator: ", ")).")
        case .noAction(let title, let offered): self = .noAction(title, offered)
        case .severalActions(let title, let matches): self = .severalActions(title, matches)
        case .journalTooLarge(let session, let limit):
            self.init(
                .journalTooLarge,
                """
                The journal is larger than \(limit >> 10) KiB. Fetch it with GET /sessions/\(session)/events and the \
                header Accept: application/x-ndjson, or read a part of it with read_history.
                """)
        case .interrupted: self = .draining
        case .problem: self = .internalError
        }
    }

    /// The most actions that a problem lists.
    private static let mostActions = 100

    private static func noAction(_ title: String, _ offered: [OfferedAction]) -> Problem {
        let titles = offered.map(\.title).reduce(into: [String]()) { titles, title in
            if !titles.contains(title), titles.count < mostActions { titles.append(title) }
        }
        let nearest = title.nearest(among: titles)
        return Problem(
            .unknownAction,
            """
            The screen offers no action "\(title)". \
            \(nearest.map { "Did you mean \"\($0)\"?" } ?? "It offers: \(titles.joined(separator: ", ")).")
            """,
            fields: [
                PlainField("known", .array(titles.map(PlainValue.string))),
                PlainField("didYouMean", nearest.map(PlainValue.string) ?? .null),
            ])
    }

    private static func severalActions(_ title: String, _ matches: [OfferedAction]) -> Problem {
        Problem(
            .ambiguousAction,
            """
            The screen offers \(matches.count) actions "\(title)". Send the "event" and the "payload" of the one that \
            you mean, without "title".
            """,
            fields: [
                PlainField(
                    "known",
                    .array(
                        matches.prefix(mostActions).map { action in
                            .object([
                                PlainField("title", .string(action.title)), PlainField("event", .string(action.event)),
                                PlainField("payload", action.payload), PlainField("place", .string(action.place)),
                            ])
                        }))
            ])
    }

    fileprivate var document: PlainValue {
        .object(
            [
                PlainField("type", .string("/problems/\(kind.rawValue)")), PlainField("title", .string(kind.title)),
                PlainField("status", .int(status)), PlainField("detail", .string(detail)),
            ] + fields)
    }
}

extension MCPAccess {
    /// The tools of a server; `nil` for none.
    var tools: ToolAccess? {
        switch self {
        case .off: nil
        case .read: .read
        case .full: .full
        }
    }
}
