internal import Coordinate
internal import CoordinateSessions
internal import JSON
internal import MicroHTTPD

/// Examples in the API's description for an app other than the one whose examples the general description has.
struct AppExamples {
    private let app: any CoordinatedApp
    private let dependencies: (any AppDependenciesProtocol)?

    init(of app: any CoordinatedApp, in dependencies: (any AppDependenciesProtocol)?) {
        self.app = app
        self.dependencies = dependencies
    }

    /// Removes the examples of the other app, and inserts some of this one.
    func replaceExamples(in root: inout PlainValue) {
        let general = root["components", "requestBodies", "Event", "content", "application/json", "example"]
        guard let name = general?[field: "event"]?.string, app.events.entry(named: name) == nil else { return }
        root = Self.withoutExamples(root)
        func body(_ path: [String], _ example: PlainValue) {
            guard root[path[...]] != nil else { return }
            root[(path + ["content", "application/json", "example"])[...]] = example
        }
        if let event { body(["components", "requestBodies", "Event"], event) }
        if let route { body(["components", "responses", "Route"], route) }
        guard let path else { return }
        body(["components", "requestBodies", "Link"], ["path": .string(path)])
        let options = app.declaredOptions.map { PlainField($0.name, $0.defaultValue) }
        let session =
            [PlainField("path", .string(path))]
            + (options.isEmpty ? [] : [PlainField("options", .object(options))])
        body(["paths", "/sessions", "post", "requestBody"], .object(session))
        body(["paths", "/sessions/by-key/{key}", "put", "requestBody"], .object(session))
    }

    /// Removes the examples of one app: those of schemas, and those with a path, an event or a text that may be a name.
    private static func withoutExamples(
        _ value: PlainValue, isNames: Bool = false, isSchema: Bool = false, isParameter: Bool = false
    ) -> PlainValue {
        switch value {
        case .object(let fields):
            let kept = fields.filter { field in
                isNames || !["example", "examples"].contains(field.name)
                    || !isSchema && !isOfApp(field.value, isParameter: isParameter)
            }
            return .object(
                kept.map { field in
                    let value = withoutExamples(
                        field.value, isNames: field.name == "properties",
                        isSchema: isSchema || field.name == "schemas",
                        isParameter: isParameter || field.name == "parameters")
                    return PlainField(field.name, value)
                })
        case .array(let values):
            return .array(values.map { withoutExamples($0, isSchema: isSchema, isParameter: isParameter) })
        default: return value
        }
    }

    private static func isOfApp(_ example: PlainValue, isParameter: Bool) -> Bool {
        let names = ["path", "event", "pointer", "app", "steps"]
        return switch example {
        case .object(let fields):
            fields.contains { names.contains($0.name) || isOfApp($0.value, isParameter: true) }
        case .array(let values): values.contains { isOfApp($0, isParameter: isParameter) }
        case .string(let text): !isParameter || text.hasPrefix("/")
        default: false
        }
    }

    /// An event that a client can send; one with a payload if possible.
    private var event: PlainValue? {
        let events = app.events.entries.filter { !$0.isAppOnly && !$0.hasSecrets }
        for event in events.filter({ !$0.fields.isEmpty }) + events {
            let payload = PlainValue.object(
                event.fields(in: dependencies).map { PlainField($0.name, value(of: $0, in: event.name)) })
            guard (try? event.event(from: payload, in: dependencies)) != nil else { continue }
            return event.fields.isEmpty
                ? ["event": .string(event.name)] : ["event": .string(event.name), "payload": payload]
        }
        return nil
    }

    private func value(of field: EventField, in event: String) -> PlainValue {
        let sample = app.samples.first { $0.source == .input(field.name, event: event) }
        return sample?.entered.first ?? value(of: field.type)
    }

    private func value(of type: PlainType) -> PlainValue {
        if let choice = type.choices?.first { return choice }
        return switch type.kind {
        case .bool: true
        case .int: 1
        case .double: 1.5
        case .string: "text"
        case .array: .array(type.items.map { [value(of: $0)] } ?? [])
        case .object: .object(type.fields.map { PlainField($0.name, value(of: $0.type)) })
        }
    }

    private var path: String? { app.routes.patterns.first { !$0.contains("{") }.map { "/\($0)" } }

    /// The route of a session that has just begun.
    private var route: PlainValue? {
        let runner = TreeRunner(app, options: .object([]), seed: 0, events: app.events.types)
        guard (try? runner.start(at: Timestamp(seconds: 0))) != nil else { return nil }
        let document = RouteDocument.encode(
            runner.root.liveState, session: SessionID("7m81iMw-PIsLHsPvUYc16A"), version: 0)
        return try? JSONParser.parse(document.bytes)
    }
}
