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
        // It is this server's own JSON. The tree may be much larger than the screen.
        let bytes = route.published.body.bytes
        return
            (try? JSONParser.parse(
                bytes, maximumDepth: RouteDocument.maximumDepth, omitting: ["breadcrumbs", "tree"])) ?? .null
    }

    func isSettled(_ route: any EncodedRoute) -> Bool { route.published.isSettled }

    func problem(of error: ToolError) -> PlainValue {
        switch error {
        case .problem(let document): document
        case .session(let error): Problem(error).document
        case .malformed(let detail, let pointer): Problem.malformedRequest(detail, pointer: pointer).document
        case .unknownField(let path, let known):
            Problem.unknownField(
                at: path, nearest: path.last?.nearest(among: known),
                otherwise: known.isEmpty ? "Leave it out." : "Known are \(known.joined(separator: ", "))."
            ).document
        case .noAction(let title, let offered): .noAction(title, offered)
        case .severalActions(let title, let matches): .severalActions(title, matches)
        case .journalTooLarge(let session, let limit): .journalTooLarge(session, limit)
        case .tooManyWaiting(let limit):
            Problem(
                .tooBusy,
                "At most \(limit) calls can wait at a time. Cancel one of them, or call wait again when one has ended."
            ).document
        case .interrupted: Problem.draining.document
        }
    }
}

extension Problem {
    fileprivate var document: PlainValue { .problem(kind.rawValue, kind.title, status.code, detail, fields) }
}

/// The problems that only tools have.
extension PlainValue {
    fileprivate static func problem(
        _ kind: String, _ title: String, _ status: Int, _ detail: String, _ fields: [PlainField] = []
    ) -> PlainValue {
        .object(
            [
                PlainField("type", .string("/problems/\(kind)")), PlainField("title", .string(title)),
                PlainField("status", .int(status)), PlainField("detail", .string(detail)),
            ] + fields)
    }

    /// The most actions that a problem lists.
    private static let mostActions = 100

    fileprivate static func noAction(_ title: String, _ offered: [OfferedAction]) -> PlainValue {
        var seen: Set<[UInt8]> = []
        let titles = Array(offered.map(\.title).filter { seen.insert(Array($0.utf8)).inserted }.prefix(mostActions))
        let nearest = title.nearest(among: titles)
        let advice =
            nearest.map { "Did you mean \"\($0)\"?" } ?? "It offers: \(titles.joined(separator: ", "))."
        return .problem(
            "unknown-action", "Unknown action", 422, "The screen offers no action \"\(title)\". \(advice)",
            [
                PlainField("known", .array(titles.map(PlainValue.string))),
                PlainField("didYouMean", nearest.map(PlainValue.string) ?? .null),
            ])
    }

    fileprivate static func severalActions(_ title: String, _ matches: [OfferedAction]) -> PlainValue {
        let known = matches.prefix(mostActions).map { action in
            PlainValue.object([
                PlainField("title", .string(action.title)), PlainField("event", .string(action.event)),
                PlainField("payload", action.payload), PlainField("place", .string(action.place)),
            ])
        }
        return .problem(
            "ambiguous-action", "Ambiguous action", 422,
            """
            The screen offers \(matches.count) actions "\(title)". Send the "event" and the "payload" of the one that \
            you mean, without "title".
            """, [PlainField("known", .array(known))])
    }

    fileprivate static func journalTooLarge(_ session: SessionID, _ limit: Int) -> PlainValue {
        .problem(
            "journal-too-large", "Journal too large", 413,
            """
            The journal is larger than \(limit >> 10) KiB. Fetch it with GET /sessions/\(session)/events and the \
            header Accept: application/x-ndjson, or read a part of it with read_history.
            """)
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

/// The tools that a server offers to agents (https://modelcontextprotocol.io).
public enum MCPAccess: String, Sendable, CaseIterable {
    /// No tools. The path `/mcp` does not exist.
    case off
    /// The tools that only read.
    case read
    /// All tools.
    case full
}
