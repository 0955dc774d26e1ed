internal import Coordinate
internal import CoordinateServer
package import CoordinateSessions
internal import JSON

/// The client of a tool, and what its request says besides the call.
package struct ToolClient: Sendable {
    package let key: ClientKey
    /// The trace to which the call belongs (https://www.w3.org/TR/trace-context); `nil` if it belongs to none.
    package let traceparent: String?

    package init(_ key: ClientKey, traceparent: String? = nil) {
        self.key = key
        self.traceparent = traceparent
    }
}

/// The functions of the tools, for one call of a client.
struct SessionTools: Sendable {
    let api: API
    let client: ToolClient
    /// The route for which a call of the tool `wait` waits. The stream ends when the waiting is over.
    let awaited = AsyncStream<Result<any EncodedRoute, SessionError>>.makeStream()

    var sessions: SessionRegistry { api.sessions }
    var key: ClientKey { client.key }

    /// The session that a client names. A text that is no id names none.
    func session(in arguments: ToolArguments) async throws -> Session {
        guard let id = SessionID(try arguments.requiredString("session")) else { throw SessionError.hasEnded }
        return try await sessions.find(id, for: key)
    }

    /// The current route of a session.
    func route(of session: Session) async throws -> PublishedRoute {
        try published(await session.route())
    }

    /// The route of a session as it was after an event.
    func route(of session: Session, at version: Int) async throws -> PublishedRoute {
        try published(await session.route(at: version, for: key))
    }

    private func published(_ reading: RouteReading) throws -> PublishedRoute {
        // Nothing was known, so it was not left out.
        guard case .route(_, let route) = reading else { throw SessionError.draining }
        return route.published
    }

    /// The screen of a session to which a call has done nothing.
    func screen(of session: Session) async throws -> [UInt8] {
        ScreenDocument.encode(try await route(of: session), changed: [])
    }

    // MARK: The tools

    func readScreen(_ arguments: ToolArguments) async throws -> [UInt8] {
        try await screen(of: session(in: arguments))
    }

    func openSession(_ arguments: ToolArguments) async throws -> [UInt8] {
        let options = try arguments.object("options") ?? .object([])
        guard let path = try arguments.string("path") else {
            return try await screen(of: sessions.begin(options: options, for: key).session)
        }
        let link = injection(EventRequest(opening: path), if: .none)
        let new = try await sessions.begin(options: options, with: link, for: key)
        guard let route = new.outcome?.route?.published else { return try await screen(of: new.session) }
        // What the path has changed is the difference to the app's first screen. The session exists, even if its
        // beginning cannot be read now.
        let first = try? await self.route(of: new.session, at: 0)
        let changed = first.map { ScreenChanges.phrases(from: $0.visible, to: route.visible) } ?? []
        return ScreenDocument.encode(route, changed: changed)
    }

    func forkSession(_ arguments: ToolArguments) async throws -> [UInt8] {
        let version = try arguments.requiredInt("version", in: 0...Int.max)
        let work = try arguments.choice("work", of: [JournalHeader.withheld])
        let original = try await session(in: arguments)
        let fork = try await sessions.fork(original, at: version, withholdingWork: work != nil, for: key)
        return try await screen(of: sessions.find(fork.head.record.id, for: key))
    }

    func endSession(_ arguments: ToolArguments) async throws -> [UInt8] {
        try await sessions.end(session(in: arguments))
        var json = JSONWriter<[UInt8]>()
        json.object { $0.field("ended", true) }
        return json.finish()
    }

    func injection(_ event: EventRequest, if condition: VersionCondition) -> EventInjection {
        var event = event
        event.traceparent = client.traceparent
        return EventInjection(event, if: condition, wantsRoute: true)
    }
}
