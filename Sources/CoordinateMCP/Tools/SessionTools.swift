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

    var sessions: SessionRegistry { api.sessions }
    var key: ClientKey { client.key }
    var executor: any Executor { api.executor(of: key) }

    /// The session that a client names. A text that is no id names none.
    func session(in arguments: ToolArguments) throws(ToolError) -> Future<Session, ToolError> {
        guard let id = SessionID(try arguments.requiredString("session")) else { return .failed(.session(.hasEnded)) }
        return failable(sessions.find(id, for: key))
    }

    func failable<Value>(_ future: Future<Value, SessionError>) -> Future<Value, ToolError> {
        future.mapResult(on: executor) { $0.mapError(ToolError.session) }
    }

    /// The result of a function applied to a value, once that is there.
    func with<Value, Other>(
        _ future: Future<Value, ToolError>, _ next: @escaping @Sendable (Value) -> Future<Other, ToolError>
    ) -> Future<Other, ToolError> {
        future.flatMap(on: executor, next)
    }

    /// The current route of a session.
    func route(of session: Session) -> Future<PublishedRoute, ToolError> {
        with(failable(session.route(for: key)), Self.published)
    }

    /// The route of a session as it was after an event.
    func route(of session: Session, at version: Int) -> Future<PublishedRoute, ToolError> {
        with(failable(session.route(at: version, for: key)), Self.published)
    }

    @Sendable
    private static func published(_ reading: RouteReading) -> Future<PublishedRoute, ToolError> {
        // Nothing was known, so it was not left out.
        guard case .route(_, let route) = reading else { return .failed(.interrupted) }
        return .now(route.published)
    }

    /// The screen of a session to which a call has done nothing.
    func screen(of session: Session) -> Future<[UInt8], ToolError> {
        route(of: session).map(on: executor) { ScreenDocument.encode($0, changed: []) }
    }

    // MARK: The tools

    func readScreen(_ arguments: ToolArguments) throws(ToolError) -> Future<[UInt8], ToolError> {
        with(try session(in: arguments)) { screen(of: $0) }
    }

    func openSession(_ arguments: ToolArguments) throws(ToolError) -> Future<[UInt8], ToolError> {
        let options = try arguments.object("options") ?? .object([])
        guard let path = try arguments.string("path") else {
            return with(failable(sessions.begin(options: options, for: key))) { screen(of: $0.session) }
        }
        let link = injection(EventRequest(opening: path), if: .none)
        return with(failable(sessions.begin(options: options, with: link, for: key))) { new in
            guard let route = new.outcome?.route?.published else { return screen(of: new.session) }
            // What the path has changed is the difference to the app's first screen.
            return self.route(of: new.session, at: 0).mapResult(on: executor) { first in
                // The session exists, even if its beginning cannot be read now.
                let changed = (try? first.get()).map { ScreenChanges.phrases(from: $0.visible, to: route.visible) }
                return .success(ScreenDocument.encode(route, changed: changed ?? []))
            }
        }
    }

    func forkSession(_ arguments: ToolArguments) throws(ToolError) -> Future<[UInt8], ToolError> {
        let version = try arguments.requiredInt("version", in: 0...Int.max)
        let work = try arguments.choice("work", of: [JournalHeader.withheld])
        return with(try session(in: arguments)) { original in
            let fork = sessions.fork(original, at: version, withholdingWork: work != nil, for: key)
            return with(failable(fork)) { summary in
                with(failable(sessions.find(summary.head.record.id, for: key))) { screen(of: $0) }
            }
        }
    }

    func endSession(_ arguments: ToolArguments) throws(ToolError) -> Future<[UInt8], ToolError> {
        with(try session(in: arguments)) { session in
            failable(sessions.end(session, for: key)).map(on: executor) {
                var json = JSONWriter<[UInt8]>()
                json.object { $0.field("ended", true) }
                return json.finish()
            }
        }
    }

    func injection(_ event: EventRequest, if condition: VersionCondition) -> EventInjection {
        var event = event
        event.traceparent = client.traceparent
        return EventInjection(event, if: condition, wantsRoute: true)
    }
}
