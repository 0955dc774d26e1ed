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
            } result: { route, changed, _ in
                ScreenDocument.encode(route, changed: changed)
            }
        }
    }

    func press(_ arguments: ToolArguments) throws(ToolError) -> Future<[UInt8], ToolError> {
        let press = try Press(arguments)
        return with(try session(in: arguments)) { session in
            act(in: session, ifAt: press.version) { screen in
                Result { () throws(ToolError) in try press.event(on: screen, of: api.app) }
            } result: { route, changed, outcome in
                let dispatch = outcome.turn.dispatch
                return ScreenDocument.encode(
                    route, changed: changed,
                    [
                        PlainField("handled", .bool(dispatch.isHandled)),
                        PlainField("handled_by", dispatch.handledBy.map(PlainValue.string) ?? .null),
                    ])
            }
        }
    }

    /// Emits an event that depends on the screen, on that very screen: what has changed is then what the event has
    /// changed.
    ///
    /// - Parameters:
    ///   - version: The version that the session must have; `nil` for any.
    ///   - event: Creates the event from the screen.
    ///   - result: Creates the result from the route after the event.
    private func act(
        in session: Session, ifAt version: Int? = nil, attempt: Int = 1,
        _ event: @escaping @Sendable (VisibleState) -> Result<EventRequest, ToolError>,
        result: @escaping @Sendable (PublishedRoute, _ changed: [String], EventOutcome) -> [UInt8]
    ) -> Future<[UInt8], ToolError> {
        with(route(of: session)) { before in
            if let version, version != before.version {
                return .failed(.session(.versionConflict(current: before.version)))
            }
            let request: EventRequest
            switch event(before.visible) {
            case .success(let event): request = event
            case .failure(let error): return .failed(error)
            }
            let condition = VersionCondition(isOneOf: .some([before.version]))
            return session.inject(injection(request, if: condition), for: key).then(on: executor) { outcome in
                switch outcome {
                case .success(let outcome):
                    guard let after = outcome.route?.published else {
                        return .failed(.session(.outcomeUnavailable))
                    }
                    let changed = ScreenChanges.phrases(from: before.visible, to: after.visible)
                    return .now(result(after, changed, outcome))
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

    /// The event of the press on a screen.
    func event(on screen: VisibleState, of app: HostedApp) throws(ToolError) -> EventRequest {
        if let title {
            let action = try OfferedAction.titled(title, on: screen)
            return try event(named: action.event, try action.payload(typing: input), of: app)
        }
        let name = name ?? ""
        guard let input else { return try event(named: name, payload, of: app) }
        // What is typed replaces the values that the form shows.
        let form = OfferedAction.all(on: screen).first { $0.action.event == name && $0.action.isForm }?.action
        let shown = payload ?? form?.payload ?? .object([])
        return try event(named: name, shown.setting(form?.read(input.fields) ?? input.fields), of: app)
    }

    private func event(
        named name: String, _ payload: PlainValue?, of app: HostedApp
    ) throws(ToolError) -> EventRequest {
        do throws(Problem) {
            return try EventRequest(named: name, payload: payload ?? .object([]), at: at, of: app)
        } catch {
            throw ToolError(error)
        }
    }
}
