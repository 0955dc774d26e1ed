internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions

extension SessionTools {
    /// The most attempts of a call that names no version, if other clients change the session at the same time.
    private static let attempts = 20

    func openLink(_ arguments: ToolArguments) async throws -> [UInt8] {
        let link = EventRequest(opening: try arguments.requiredString("path"))
        let act = try await act(in: session(in: arguments)) { _ in link }
        return ScreenDocument.encode(act.route, changed: act.changed)
    }

    func press(_ arguments: ToolArguments) async throws -> [UInt8] {
        let press = try Press(arguments)
        let act = try await act(in: session(in: arguments), ifAt: press.version) { screen in
            try press.event(on: screen, of: api.app)
        }
        let dispatch = act.outcome.turn.dispatch
        return ScreenDocument.encode(
            act.route, changed: act.changed,
            [
                PlainField("handled", .bool(dispatch.isHandled)),
                PlainField("handled_by", dispatch.handledBy.map(PlainValue.string) ?? .null),
            ])
    }

    /// Emits an event that depends on the screen, on that very screen: what has changed is then what the event has
    /// changed.
    ///
    /// - Parameters:
    ///   - version: The version that the session must have; `nil` for any.
    ///   - event: Creates the event from the screen.
    /// - Returns: The route after the event, what has changed, and the outcome.
    private func act(
        in session: Session, ifAt version: Int? = nil, _ event: (VisibleState) throws -> EventRequest
    ) async throws -> (route: PublishedRoute, changed: [String], outcome: EventOutcome) {
        var attempt = 1
        while true {
            let before = try await route(of: session)
            if let version, version != before.version {
                throw SessionError.versionConflict(current: before.version)
            }
            let condition = VersionCondition(isOneOf: .some([before.version]))
            let injection = injection(try event(before.visible), if: condition)
            do {
                let outcome = try await session.inject(injection)
                guard let after = outcome.route?.published else { throw SessionError.outcomeUnavailable }
                return (after, ScreenChanges.phrases(from: before.visible, to: after.visible), outcome)
            } catch SessionError.versionConflict where version == nil && attempt < Self.attempts {
                attempt += 1
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
    func event(on screen: VisibleState, of app: HostedApp) throws -> EventRequest {
        if let title {
            let action = try OfferedAction.titled(title, on: screen)
            let payload = try action.payload(typing: input)
            return try EventRequest(named: action.event, payload: payload, at: at, of: app)
        }
        let name = name ?? ""
        var payload = payload ?? .object([])
        if let input {
            // What is typed replaces the values that the form shows.
            let form = OfferedAction.all(on: screen).first { $0.action.event == name && $0.action.isForm }?.action
            let shown = self.payload ?? form?.payload ?? .object([])
            payload = shown.setting(form?.read(input.fields) ?? input.fields)
        }
        return try EventRequest(named: name, payload: payload, at: at, of: app)
    }
}
