internal import Coordinate
internal import CoordinateServer
package import CoordinateSessions
internal import JSON
internal import MicroHTTPD

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
    let screens: SharedScreens

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

    /// The current route of a session as a document, and its version.
    func route(of session: Session) -> Future<(version: Int, document: PlainValue), ToolError> {
        failable(session.route(for: key)).mapResult(on: executor) { reading in
            reading.flatMap { reading in
                // Nothing was known, so it was not left out.
                guard case .route(let version, let route) = reading else { return .failure(.interrupted) }
                return .success((version, document(of: route)))
            }
        }
    }

    /// The route of a session as it was after an event, as a document.
    func route(of session: Session, at version: Int) -> Future<PlainValue, ToolError> {
        failable(session.route(at: version, for: key)).mapResult(on: executor) { reading in
            reading.flatMap { reading in
                guard case .route(_, let route) = reading else { return .failure(.interrupted) }
                return .success(document(of: route))
            }
        }
    }

    /// The document of a route, without its tree, which may be much larger than the screen.
    func document(of route: any EncodedRoute) -> PlainValue {
        // It is this server's own JSON.
        let bytes = route.published.body.bytes
        return
            (try? JSONParser.parse(
                bytes, maximumDepth: RouteDocument.maximumDepth, omitting: ["breadcrumbs", "tree"])) ?? .null
    }

    /// The screen of a session to which a call has done nothing.
    func screen(of session: Session) -> Future<[UInt8], ToolError> {
        route(of: session).map(on: executor) { ScreenDocument.encode($0.document, changed: []) }
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
            guard let route = new.outcome?.route else { return screen(of: new.session) }
            let document = document(of: route)
            // What the path has changed is the difference to the app's first screen.
            return self.route(of: new.session, at: 0).mapResult(on: executor) { first in
                // The session exists, even if its beginning cannot be read now.
                let changed = (try? first.get()).map { ScreenChanges.phrases(from: $0, to: document) } ?? []
                return .success(ScreenDocument.encode(document, changed: changed))
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
