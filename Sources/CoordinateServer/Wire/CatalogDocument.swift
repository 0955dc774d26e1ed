internal import Coordinate
internal import JSON
internal import MicroHTTPD

/// All there is to know of an app without a session: its events, its paths, its coordinators.
enum CatalogDocument {
    static func encode(_ app: any CoordinatedApp) -> HTTPBody {
        var json = DocumentWriter(capacity: 4096)
        json.object {
            $0.field("app", app.name)
            $0.field("appVersion", app.version)
            $0.array("events", app.events.entries) { json, event in
                json.object {
                    $0.field("name", event.name)
                    $0.field("origin", event.isAppOnly ? "app" : "client")
                    $0.object("payload") {
                        for field in event.fields {
                            let facts = [
                                PlainField("type", .string(field.type.rawValue)), PlainField("required", .bool(true)),
                                PlainField("secret", .bool(field.isSecret)),
                            ]
                            $0.field(PlainField(field.name, .object(facts)))
                        }
                    }
                }
            }
            $0.array("options", app.declaredOptions) { json, option in
                json.object {
                    $0.field("name", option.name)
                    $0.field("type", option.type.rawValue)
                    $0.key("default")
                    $0.plain(option.defaultValue)
                }
            }
            $0.array("paths", app.routes.patterns) { $0.string("/\($1)") }
            $0.array("coordinators", CoordinatorCensus(app).names) { $0.string($1) }
        }
        return json.finish()
    }
}
