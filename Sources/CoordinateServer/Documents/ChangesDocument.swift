internal import Coordinate
internal import JSON
internal import MicroHTTPD

/// The document with the difference between two versions of a session.
enum ChangesDocument {
    /// - Parameters:
    ///   - versions: The requested versions, in any order.
    ///   - older: The route document of the lower one.
    ///   - newer: The route document of the higher one.
    static func encode(
        from first: Int, to second: Int, older: HTTPBody, newer: HTTPBody
    ) throws(JSONSyntaxError) -> HTTPBody {
        let changes = DocumentComparison.changes(from: try contents(of: older), to: try contents(of: newer))
        var json = DocumentWriter(capacity: 1024)
        json.object {
            $0.field("from", first)
            $0.field("to", second)
            $0.array("changes", changes) { json, change in
                json.object {
                    $0.field("pointer", change.pointer.description)
                    $0.plain("from", first <= second ? change.older : change.newer)
                    $0.plain("to", first <= second ? change.newer : change.older)
                }
            }
        }
        return json.finish()
    }

    /// A route document without the fields that differ between any two versions or sessions.
    private static func contents(of route: HTTPBody) throws(JSONSyntaxError) -> PlainValue {
        let document = try JSONParser.parse(route.bytes, maximumDepth: RouteDocument.maximumDepth)
        guard case .object(let fields) = document else { return document }
        return .object(fields.filter { !["session", "version"].contains($0.name) })
    }
}
