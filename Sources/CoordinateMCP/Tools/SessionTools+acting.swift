internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions

extension SessionTools {
    /// The most attempts of a call that names no version, if other clients change the session at the same time.
    private static let attempts = 20

    func openLink(_ arguments: ToolArguments) throws(ToolError) -> Future<[UInt8], ToolError> {
        let path = try arguments.requiredString("path")
        return with(try session(in: arguments)) { session in
            act(in: session) { _ in
                .success(EventRequest(opening: path))
            } result: { document, changed, _ in
                ScreenDocument.encode(document, changed: changed)
            }
        }
    }

    func press(_ arguments: ToolArguments) throws(ToolError) -> Future<[UInt8], ToolError> {
        let press = try Press(arguments)
        return with(try session(in: arguments)) { session in
            act(in: session, ifAt: press.version) { document in
                Result { () throws(ToolError) in try event(in: try press.event(in: document)) }
            } result: { document, changed, outcome in
                let dispatch = outcome.turn.dispatch
                return ScreenDocument.encode(
                    document, changed: changed,
                    [
                        PlainField("handled", .bool(dispatch.isHandled)),
                        PlainField("handled_by", dispatch.handledBy.map(PlainValue.string) ?? .null),
                    ])
            }
        }
    }

    private func event(in body: PlainValue) throws(ToolError) -> EventRequest {
        do throws(Problem) {
            return try EventRequest(body, of: api.app)
        } catch {
            throw ToolError(error)
        }
    }

    /// Emits an event that depends on the screen, on that very screen: what has changed is then what the event has
    /// changed.
    ///
    /// - Parameters:
    ///   - version: The version that the session must have; `nil` for any.
    ///   - event: Creates the event from the route document.
    ///   - result: Creates the result from the route document after the event.
    private func act(
        in session: Session, ifAt version: Int? = nil, attempt: Int = 1,
        _ event: @escaping @Sendable (PlainValue) -> Result<EventRequest, ToolError>,
        result: @escaping @Sendable (_ document: PlainValue, _ changed: [String], EventOutcome) -> [UInt8]
    ) -> Future<[UInt8], ToolError> {
        with(route(of: session)) { current, before in
            if let version, version != current { return .failed(.session(.versionConflict(current: current))) }
            let request: EventRequest
            switch event(before) {
            case .success(let event): request = event
            case .failure(let error): return .failed(error)
            }
            let condition = VersionCondition(isOneOf: .some([current]))
            return session.inject(injection(request, if: condition), for: key).then(on: executor) { outcome in
                switch outcome {
                case .success(let outcome):
                    guard let route = outcome.route else { return .failed(.session(.outcomeUnavailable)) }
                    let after = document(of: route)
                    return .now(result(after, ScreenChanges.phrases(from: before, to: after), outcome))
                case .failure(.versionConflict) where version == nil && attempt < Self.attempts:
                    return act(in: session, attempt: attempt + 1, event, result: result)
                case .failure(let error): return .failed(.session(error))
                }
            }
        }
    }
}

/// The arguments of the tool `press`.
private struct Press: Sendable {
    let version: Int?
    private let title: String?
    private let name: String?
    private let payload: PlainValue?
    private let at: String?
    private let input: PlainValue?

    init(_ arguments: ToolArguments) throws(ToolError) {
        version = try arguments.int("version", in: 0...Int.max)
        title = try arguments.string("title")
        name = try arguments.string("event")
        payload = try arguments.object("payload")
        at = try arguments.string("at")
        input = try arguments.object("input")
        guard (title == nil) != (name == nil) else {
            throw .malformed(
                "Send either \"title\", the title of an action, or \"event\".",
                pointer: title == nil ? "/title" : "/event")
        }
        guard title == nil || payload == nil && at == nil else {
            throw .malformed(
                "The arguments \"payload\" and \"at\" go with \"event\", not with \"title\".",
                pointer: payload == nil ? "/at" : "/payload")
        }
    }

    /// The event, in the form in which clients send it.
    ///
    /// - Parameter document: The route document.
    func event(in document: PlainValue) throws(ToolError) -> PlainValue {
        if let title {
            let action = try OfferedAction.titled(title, in: document)
            return .object([
                PlainField("event", .string(action.event)), PlainField("payload", try action.payload(typing: input)),
            ])
        }
        let name = name ?? ""
        var payload = payload
        if let input {
            // What is typed replaces the values that the form shows.
            let form = OfferedAction.all(in: document).first { $0.event == name && !$0.inputs.isEmpty }
            payload = (payload ?? form?.payload ?? .object([])).setting(form?.read(input.fields) ?? input.fields)
        }
        return .object(
            [PlainField("event", .string(name))] + (payload.map { [PlainField("payload", $0)] } ?? [])
                + (at.map { [PlainField("at", .string($0))] } ?? []))
    }
}
