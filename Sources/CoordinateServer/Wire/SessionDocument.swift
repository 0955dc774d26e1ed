internal import MicroHTTPD

/// A session and where to go on from it: section 4 of the contract.
enum SessionDocument {
    static func encode(_ summary: SessionSummary) -> HTTPBody {
        var json = JSONWriter(capacity: 512)
        let base = "/sessions/\(summary.id)"
        json.object {
            $0.field("id", summary.id.description)
            $0.field("version", summary.version)
            $0.field("path", summary.path)
            $0.field("createdAt", summary.createdAt.description)
            $0.field("expiresAt", summary.expiresAt.description)
            $0.object("links") {
                $0.field("self", base)
                $0.field("route", base + "/route")
                $0.field("events", base + "/events")
            }
        }
        return json.finish()
    }
}
