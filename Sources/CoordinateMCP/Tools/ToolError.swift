internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions
internal import MicroHTTPD

/// The reason why a tool did not do what it was asked for: a problem document (RFC 9457), as over HTTP.
struct ToolError: Error {
    let document: PlainValue

    init(_ problem: Problem) {
        self.init(problem.kind.rawValue, problem.kind.title, problem.status, problem.detail, problem.fields)
    }

    private init(
        _ kind: String, _ title: String, _ status: HTTPResponse.Status, _ detail: String, _ fields: [PlainField] = []
    ) {
        document = .object(
            [
                PlainField("type", .string("/problems/\(kind)")), PlainField("title", .string(title)),
                PlainField("status", .int(status.code)), PlainField("detail", .string(detail)),
            ] + fields)
    }

    init(_ error: any Error) {
        self = error as? ToolError ?? ToolError(Problem(of: error))
    }

    /// An argument is missing or of the wrong kind.
    static func malformed(_ detail: String, pointer: String) -> ToolError {
        ToolError(Problem.malformedRequest(detail, pointer: pointer))
    }

    /// An argument that the tool or the form does not have.
    static func unknownField(_ path: [String], known: [String]) -> ToolError {
        ToolError(
            Problem.unknownField(
                at: path, nearest: path.last?.nearest(among: known),
                otherwise: known.isEmpty ? "Leave it out." : "Known are \(known.joined(separator: ", "))."))
    }

    /// The client has too many calls that wait.
    static func tooManyWaiting(limit: Int) -> ToolError {
        ToolError(
            Problem(
                .tooBusy,
                "At most \(limit) calls can wait at a time. Cancel one of them, or call wait again when one has ended."
            ))
    }

    // MARK: Problems that only tools have

    /// The most actions that a problem lists.
    private static let mostActions = 100

    /// The screen has no action with this title.
    static func noAction(_ title: String, offered: [OfferedAction]) -> ToolError {
        var seen: Set<[UInt8]> = []
        let titles = Array(offered.map(\.title).filter { seen.insert(Array($0.utf8)).inserted }.prefix(mostActions))
        let nearest = title.nearest(among: titles)
        let advice =
            nearest.map { "Did you mean \"\($0)\"?" } ?? "It offers: \(titles.joined(separator: ", "))."
        return ToolError(
            "unknown-action", "Unknown action", .unprocessableContent,
            "The screen offers no action \"\(title)\". \(advice)",
            [
                PlainField("known", .array(titles.map(PlainValue.string))),
                PlainField("didYouMean", nearest.map(PlainValue.string) ?? .null),
            ])
    }

    /// The screen has several actions with this title.
    static func severalActions(_ title: String, _ matches: [OfferedAction]) -> ToolError {
        let known = matches.prefix(mostActions).map { match in
            [
                "title": .string(match.title), "event": .string(match.action.event),
                "payload": match.action.payload, "place": .string(match.place),
            ] as PlainValue
        }
        return ToolError(
            "ambiguous-action", "Ambiguous action", .unprocessableContent,
            """
            The screen offers \(matches.count) actions "\(title)". Send the "event" and the "payload" of the one that \
            you mean, without "title".
            """, [PlainField("known", .array(known))])
    }

    /// The journal is too long for a tool's result.
    static func journalTooLarge(_ session: SessionID, limit: Int) -> ToolError {
        ToolError(
            "journal-too-large", "Journal too large", .contentTooLarge,
            """
            The journal is larger than \(limit >> 10) KiB. Fetch it with GET /sessions/\(session)/events and the \
            header Accept: application/x-ndjson, or read a part of it with read_history.
            """)
    }
}
