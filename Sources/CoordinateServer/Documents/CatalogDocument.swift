internal import Coordinate
internal import JSON
internal import MicroHTTPD

/// The catalog of an app: its events, paths and coordinators, all that is known of it without a session.
enum CatalogDocument {
    static func encode(_ app: any CoordinatedApp, _ census: CoordinatorCensus) -> HTTPBody {
        let dependencies = app.initialDependencies
        var json = DocumentWriter(capacity: 4096)
        json.object {
            $0.field("app", app.name)
            $0.field("appVersion", app.version)
            $0.array("events", app.events.entries) { json, event in
                json.object {
                    $0.field("name", event.name)
                    $0.field("origin", event.isAppOnly ? "app" : "client")
                    $0.object("payload") {
                        for field in event.fields(in: dependencies) {
                            $0.field(PlainField(field.name, describe(field.type)))
                        }
                    }
                }
            }
            $0.array("options", app.declaredOptions) { json, option in
                json.object {
                    $0.field("name", option.name)
                    $0.field("type", option.type.kind.rawValue)
                    for field in contents(of: option.type) { $0.field(field) }
                    $0.field(PlainField("default", option.defaultValue))
                }
            }
            $0.array("paths", app.routes.patterns) { $0.string("/\($1)") }
            $0.array("coordinators", census.names) { $0.string($1) }
            $0.array("screens", census.screens) { json, screen in
                json.object {
                    $0.field("name", screen.name)
                    $0.field(PlainField("content", screen.type.map(describe) ?? .null))
                }
            }
            $0.array("results", census.results) { json, flow in
                json.object {
                    $0.field("coordinator", flow.name)
                    $0.field(PlainField("result", flow.type.map(describe) ?? .null))
                }
            }
        }
        return json.finish()
    }

    /// The description of a value in an event, an object or a list.
    private static func describe(_ type: PlainType) -> PlainValue {
        .object(
            [PlainField("type", .string(type.kind.rawValue)), PlainField("required", .bool(!type.isOptional))]
                + contents(of: type) + [PlainField("secret", .bool(type.isSecret))])
    }

    private static func contents(of type: PlainType) -> [PlainField] {
        var contents: [PlainField] = []
        if let choices = type.choices { contents.append(PlainField("choices", .array(choices))) }
        if type.kind == .object {
            let fields = type.fields.map { PlainField($0.name, describe($0.type)) }
            contents.append(PlainField("fields", .object(fields)))
        }
        if let items = type.items { contents.append(PlainField("items", describe(items))) }
        return contents
    }
}
