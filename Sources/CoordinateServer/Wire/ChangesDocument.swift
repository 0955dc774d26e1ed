internal import Coordinate
internal import JSON
internal import MicroHTTPD

/// The difference between two versions of a session, as its clients get it: section 3 of the contract.
enum ChangesDocument {
    /// The deepest nesting of a route document: the most levels of coordinators, two brackets each, and the payloads of
    /// the actions that the deepest one offers.
    private static let maximumDepth = 512

    /// - Parameters:
    ///   - versions: The versions that were requested, in any order.
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
                    $0.key("from")
                    $0.plain(first <= second ? change.older : change.newer)
                    $0.key("to")
                    $0.plain(first <= second ? change.newer : change.older)
                }
            }
        }
        return json.finish()
    }

    /// A route document without what differs in any two versions and in any two sessions.
    private static func contents(of route: HTTPBody) throws(JSONSyntaxError) -> PlainValue {
        let document = try JSONParser.parse(route.bytes, maximumDepth: maximumDepth)
        guard case .object(let fields) = document else { return document }
        return .object(fields.filter { !["session", "version"].contains($0.name) })
    }
}
