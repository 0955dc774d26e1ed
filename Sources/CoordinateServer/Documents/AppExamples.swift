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
        // In a schema, any text may be a name of the other app.
        let schemas = root["components", "schemas"].map { Self.without($0) { _ in true } }
        root = Self.without(root, examplesThat: Self.isOfAnApp)
        root["components", "schemas"] = schemas
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

    /// Returns a value without some of the examples in it.
    ///
    /// - Parameter isNames: Whether the value's fields are the names of an object's fields, and no keywords.
    private static func without(
        _ value: PlainValue, isNames: Bool = false, examplesThat isUnfit: (PlainValue) -> Bool
    ) -> PlainValue {
        switch value {
        case .object(let fields):
            let kept = fields.filter { isNames || !["example", "examples"].contains($0.name) || !isUnfit($0.value) }
            return .object(
                kept.map { field in
                    PlainField(
                        field.name, without(field.value, isNames: field.name == "properties", examplesThat: isUnfit))
                })
        case .array(let values): return .array(values.map { without($0, examplesThat: isUnfit) })
        default: return value
        }
    }

    /// Whether an example has an event or a path.
    private static func isOfAnApp(_ example: PlainValue) -> Bool {
        let names = ["path", "event", "pointer", "app", "steps"]
        return switch example {
        case .object(let fields): fields.contains { names.contains($0.name) || isOfAnApp($0.value) }
        case .array(let values): values.contains(where: isOfAnApp)
        case .string(let text): text.hasPrefix("/")
        default: false
        }
    }

    /// An event that a client can send; one with a payload if possible.
    private var event: PlainValue? {
        let events = app.events.entries.filter { !$0.isAppOnly && !$0.hasSecrets }
        for event in events.filter({ !$0.fields.isEmpty }) + events {
            let payload = PlainValue.object(
                event.fields(in: dependencies).map { field in
                    PlainField(
                        field.name,
                        app.samples.entered(field.name, of: event.name).first ?? field.type.sample(0))
                })
            guard (try? event.event(from: payload, in: dependencies)) != nil else { continue }
            return event.fields.isEmpty
                ? ["event": .string(event.name)] : ["event": .string(event.name), "payload": payload]
        }
        return nil
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
