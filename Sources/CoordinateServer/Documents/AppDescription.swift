internal import Coordinate
internal import JSON

/// The API's description with the types of one app: its events with their payloads, its options, its paths, its screens
/// with their content, and the results of its flows.
///
/// It is the description that fits every app, `openapi.json`, with some schemas replaced and others added. What clients
/// send is exact. What they read is described as it is for every app, because generated clients refuse what a schema does
/// not list: a screen that no walk through the app has found, or an event of an earlier version in a journal. So a screen
/// has a schema of its own, with which a client reads its content.
struct AppDescription {
    private let app: any CoordinatedApp
    private let dependencies: (any AppDependenciesProtocol)?
    private var schemas: Schemas

    /// - Parameter general: The description that fits every app.
    static func encode(_ app: any CoordinatedApp, _ census: CoordinatorCensus, general: [UInt8]) -> [UInt8] {
        guard var root = try? JSONParser.parse(general) else { preconditionFailure("openapi.json is not JSON.") }
        var description = AppDescription(
            app: app, dependencies: app.initialDependencies, schemas: Schemas(root["components", "schemas"]))
        description.describeEvents()
        description.describeOptionsAndPaths()
        description.describe(census)
        root["components", "schemas"] = description.schemas.value
        root["info", "title"] = .string(app.name)
        root["info", "version"] = .string(app.version)
        AppExamples(of: app, in: description.dependencies).replaceExamples(in: &root)
        return root.json
    }

    /// Makes an event a union of the app's events, which clients tell apart by their names.
    private mutating func describeEvents() {
        let general = schemas["Event"]
        let others = (general?[field: "properties"]?.fields ?? []).filter { !["event", "payload"].contains($0.name) }
        let noPayload = schemas.add("NoPayload", ["type": "object", "additionalProperties": false])
        var union: [PlainField] = []
        for event in app.events.entries {
            let name = Schemas.identifier(event.name)
            let fields = event.fields(in: dependencies)
            let payload = fields.isEmpty ? noPayload : schemas.add(name + "Payload", schemas.object(fields))
            let isRequired = fields.contains { !$0.type.isOptional }
            let own: [PlainField] = [
                PlainField("event", Schemas.constant(event.name, name: Schemas.caseName(event.name))),
                PlainField("payload", payload),
            ]
            var schema: PlainValue = [
                "type": "object", "required": isRequired ? ["event", "payload"] : ["event"],
                "additionalProperties": false, "properties": .object(own + others),
            ]
            if event.isAppOnly {
                schema["description"] = "Only the app and its host emit it. See `pending` and `origin`."
            }
            union.append(PlainField(event.name, schemas.add(name, schema)))
        }
        schemas["Event"] = [
            "description": general?[field: "description"] ?? .null,
            "oneOf": .array(union.map(\.value)),
            "discriminator": [
                "propertyName": "event",
                "mapping": .object(union.map { PlainField($0.name, $0.value[field: "$ref"] ?? .null) }),
            ],
        ]
        let schemaNames = union.compactMap { $0.value[field: "$ref"]?.string?.split(separator: "/").last }
        schemas["EventName"] = [
            "type": "string", "enum": .array(union.map { .string($0.name) }),
            "x-enum-varnames": .array(schemaNames.map { .string($0.prefix(1).lowercased() + $0.dropFirst()) }),
        ]
    }

    private mutating func describeOptionsAndPaths() {
        let options = app.declaredOptions.map { option -> PlainField in
            var schema = schemas.schema(of: option.type)
            // Beside a reference, generators read no default.
            if schema[field: "$ref"] == nil { schema["default"] = option.defaultValue }
            return PlainField(option.name, schema)
        }
        schemas["Options", "additionalProperties"] = false
        schemas["Options", "properties"] = .object(options)
        let patterns = app.routes.patterns.map { "/\($0)" }
        guard !patterns.isEmpty else { return }
        schemas["PathPattern"] = ["type": "string", "enum": .array(patterns.map { .string($0) })]
        let description = schemas["Path", "description"]?.string ?? ""
        let list = patterns.map { "`\($0)`" }.joined(separator: ", ")
        schemas["Path", "description"] = .string("\(description) The paths of this app: \(list).")
    }

    private mutating func describe(_ census: CoordinatorCensus) {
        for screen in census.screens {
            guard var schema = schemas["Screen"] else { continue }
            schema["properties", "name"] = Schemas.constant(screen.name, name: "screen")
            if let content = screen.type { schema["properties", "content"] = schemas.schema(of: content) }
            schemas.add(Schemas.identifier(screen.name) + "Screen", schema)
        }
        for flow in census.results {
            guard let result = flow.type else { continue }
            schemas.add(
                Schemas.identifier(flow.name.replacing(/Coordinator$/, with: "")) + "Result",
                [
                    "description": "With what a flow ends. The app receives it, and documents do not have it.",
                    "type": "object", "required": ["coordinator", "result"],
                    "properties": [
                        "coordinator": Schemas.constant(flow.name, name: "coordinator"),
                        "result": schemas.schema(of: result),
                    ],
                ])
        }
    }
}

/// The named schemas of a description.
private struct Schemas {
    private var members: [PlainField]
    /// The references to the schemas of the app's own types.
    private var types: [PlainType: PlainValue] = [:]

    /// Names that a language of generated clients has taken.
    private static let taken: Set<String> = ["Array", "Error", "Map", "Object", "Result", "Set", "String"]

    init(_ schemas: PlainValue?) {
        members = schemas?.fields ?? []
    }

    var value: PlainValue { .object(members) }

    subscript(path: String...) -> PlainValue? {
        get { value[path[...]] }
        set {
            var value = value
            value[path[...]] = newValue
            members = value.fields
        }
    }

    /// Adds a schema, under another name if the name is taken.
    ///
    /// - Returns: A reference to it.
    @discardableResult
    mutating func add(_ name: String, _ schema: PlainValue) -> PlainValue {
        let known = Set(members.map(\.name)).union(Self.taken)
        let candidates = [name, "App" + name] + (2...members.count + 3).map { "\(name)\($0)" }
        let free = candidates.first { !known.contains($0) } ?? name
        members.append(PlainField(free, schema))
        return ["$ref": .string("#/components/schemas/\(free)")]
    }

    /// Returns the schema of a value. Objects of the app's own types, and values with choices, have named schemas.
    mutating func schema(of type: PlainType) -> PlainValue {
        guard let name = type.name else { return unnamed(type) }
        let required = type.required
        let reference = types[required] ?? add(Self.identifier(name), unnamed(required))
        types[required] = reference
        return type.isOptional ? ["oneOf": [reference, ["type": "null"]]] : reference
    }

    private mutating func unnamed(_ type: PlainType) -> PlainValue {
        var schema: PlainValue =
            switch type.kind {
            case .bool, .string, .double: ["type": .string(type.kind.rawValue)]
            case .int: ["type": "integer", "format": "int64"]
            case .array: ["type": "array", "items": type.items.map { self.schema(of: $0) } ?? [:]]
            case .object where type.fields.isEmpty:
                ["type": "object", "additionalProperties": ["$ref": "#/components/schemas/PlainValue"]]
            case .object: object(type.fields)
            }
        if let choices = type.choices, !choices.isEmpty {
            schema["enum"] = .array(choices)
            schema["x-enum-varnames"] = Self.constants(for: choices.compactMap(\.string))
        }
        if type.isSecret {
            schema["format"] = "password"
            schema["description"] = "A secret, which is stored nowhere, not even in the journal."
        }
        if type.isOptional {
            schema["type"] = [schema[field: "type"] ?? .null, "null"]
        }
        return schema
    }

    /// Returns the schema of an object with these fields and no others.
    mutating func object(_ fields: [EventField]) -> PlainValue {
        let required = fields.filter { !$0.type.isOptional }.map { PlainValue.string($0.name) }
        var schema: PlainValue = ["type": "object", "additionalProperties": false]
        if !required.isEmpty { schema["required"] = .array(required) }
        schema["properties"] = .object(fields.map { PlainField($0.name, self.schema(of: $0.type)) })
        return schema
    }

    /// - Parameter name: The name of the constant in a language that needs one.
    static func constant(_ value: String, name: String) -> PlainValue {
        ["type": "string", "const": .string(value), "x-enum-varnames": [.string(name)]]
    }

    /// The names of constants for choices; `nil` if the letters and digits of each tell it from the others, so that
    /// generators find good names.
    private static func constants(for choices: [String]) -> PlainValue? {
        let words = choices.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } }
        let haveNames = zip(choices, words).allSatisfy { $0.isEmpty || !$1.isEmpty }
        if haveNames, Set(words).count == words.count { return nil }
        return .array(choices.indices.map { .string("choice\($0 + 1)") })
    }

    /// The words of a name in one: `CatalogueDidSelect` for `catalogue.didSelect`.
    static func identifier(_ name: String) -> String {
        let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let joined = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return joined.first?.isLetter == true ? joined : "App" + joined
    }

    /// An event's own name in one word, for a constant: `didSelect` for `catalogue.didSelect`.
    static func caseName(_ event: String) -> String {
        let name = identifier(String(event.drop { $0 != "." }))
        return name.prefix(1).lowercased() + name.dropFirst()
    }
}
