internal import Coordinate
internal import CoordinateSessions
internal import JSON
internal import MicroHTTPD

/// The document with the outcome of an event.
enum OutcomeDocument {
    /// - Parameter route: The route document; `nil` if the client does not want it.
    static func encode(_ outcome: EventOutcome, route: HTTPBody?) -> HTTPBody {
        var json = DocumentWriter(capacity: 1024 + (route?.count ?? 0))
        json.object {
            $0.field("version", outcome.version)
            $0.field("event", outcome.turn.event)
            $0.field("handled", outcome.turn.dispatch.isHandled)
            $0.field("handledBy", outcome.turn.dispatch.handledBy)
            $0.array("trace", outcome.turn.dispatch.trace) { json, visit in
                json.object {
                    $0.field("coordinator", visit.coordinator)
                    $0.field("intercepted", visit.isIntercepted)
                }
            }
            $0.field("path", outcome.path)
            $0.field("leaf", outcome.leaf)
            if let route {
                $0.key("route")
                $0.encoded(route)
            }
        }
        return json.finish()
    }
}
