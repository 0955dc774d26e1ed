internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions
internal import JSON
internal import MicroHTTPD

/// The part of a route that a model needs: the screen, what can be done next, and what has changed.
enum ScreenDocument {
    /// - Parameters:
    ///   - changed: What the call has changed, as short phrases.
    ///   - more: Further fields.
    static func encode(_ route: PublishedRoute, changed: [String], _ more: [PlainField] = []) -> [UInt8] {
        let visible = route.visible
        var json = DocumentWriter(capacity: 4096)
        json.object {
            $0.field("session", route.session.description)
            $0.field("version", route.version)
            $0.field("path", visible.path)
            for field in more { $0.field(field) }
            $0.key("screen")
            $0.screen(visible.screen, describing: describe)
            $0.navigation(of: visible, describing: describe)
            $0.pending(visible.pending)
            $0.array("changed", changed) { $0.string($1) }
        }
        return json.finish().bytes
    }

    /// Writes the schema of a form.
    private static func describe(_ inputs: [Action.Input], _ json: inout DocumentWriter) {
        json.field(PlainField("input_schema", InputSchema.schema(of: inputs)))
    }
}
