internal import Coordinate
internal import CoordinateSessions
internal import JSON
internal import MicroHTTPD

/// The document of a session, with links to its resources.
enum SessionDocument {
    /// - Parameters:
    ///   - isForOperator: Whether the reader may see the session's key, attributes and reference.
    ///   - showsParent: Whether the reader may know the id of the session from which it was forked, and so use that one.
    ///   - more: Writes further fields.
    static func encode(
        _ summary: SessionSummary, isForOperator: Bool = true, showsParent: Bool = true,
        _ more: (inout DocumentWriter) -> Void = { _ in }
    ) -> HTTPBody {
        var json = DocumentWriter(capacity: 768)
        json.session(summary, isForOperator: isForOperator, showsParent: showsParent, more)
        return json.finish()
    }

    /// A page of sessions.
    static func encode(_ list: SessionList) -> HTTPBody {
        var json = DocumentWriter(capacity: 64 + list.sessions.count * 640)
        json.object {
            $0.array("sessions", list.sessions) { $0.session($1) }
            $0.field("next", list.next?.description)
        }
        return json.finish()
    }
}

extension DocumentWriter {
    fileprivate mutating func session(
        _ summary: SessionSummary, isForOperator: Bool = true, showsParent: Bool = true,
        _ more: (inout DocumentWriter) -> Void = { _ in }
    ) {
        let head = summary.head
        let base = "/sessions/\(head.record.id)"
        object {
            $0.field("id", head.record.id.description)
            $0.field("version", head.version)
            $0.field("path", summary.path)
            $0.field("createdAt", head.record.createdAt.description)
            $0.field("expiresAt", summary.expiresAt.description)
            $0.field("lastEventAt", head.lastEventAt?.description)
            $0.field("name", head.record.name)
            $0.field("key", isForOperator ? head.record.key : nil)
            $0.plain("attributes", isForOperator ? head.record.attributes.plainObject : .object([]))
            $0.field("reference", isForOperator ? head.record.reference : nil)
            $0.field("app", head.record.app)
            $0.field("appVersion", head.record.appVersion)
            $0.plain("options", head.record.options)
            $0.field("state", summary.state.rawValue)
            $0.key("parent")
            if let parent = head.record.parent, showsParent {
                $0.object {
                    $0.field("session", parent.session.description)
                    $0.field("version", parent.version)
                }
            } else {
                $0.null()
            }
            $0.field("pending", head.pending)
            $0.field("work", head.record.isWorkWithheld ? JournalHeader.withheld : nil)
            $0.object("links") {
                $0.field("self", base)
                $0.field("route", base + "/route")
                $0.field("events", base + "/events")
            }
            more(&$0)
        }
    }
}
