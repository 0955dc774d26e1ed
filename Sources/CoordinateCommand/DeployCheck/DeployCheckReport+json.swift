internal import CoordinateSessions
internal import JSON

extension DeployCheckReport {
    /// The report for programs: one line.
    var json: String {
        var json = JSONWriter<[UInt8]>()
        json.line {
            $0.object {
                $0.field("deployCheck", 1)
                $0.field("app", app)
                $0.field("appVersion", appVersion)
                $0.field("sessions", sessions)
                $0.field("ok", ok)
                $0.field("differs", differs)
                $0.field("unreadable", unreadable)
                $0.field("complete", isComplete)
                if case .compare(_, let recordedBy, _) = purpose {
                    $0.field("recordedBy", recordedBy)
                    $0.field("compared", compared)
                    $0.field("notCompared", notCompared)
                    $0.field("lost", lost)
                    $0.field("changed", changed)
                    $0.field("gained", gained)
                }
                $0.array("groups", sorted) { $0.group($1) }
            }
        }
        return String(decoding: json.written(), as: UTF8.self)
    }
}

extension JSONWriter<[UInt8]> {
    fileprivate mutating func group(_ group: DeployCheckReport.Group) {
        object {
            $0.field("kind", group.kind.rawValue)
            if let problem = group.problem {
                $0.field("cause", problem.cause)
                $0.field("event", problem.event)
            } else if let first = group.differences.first {
                $0.summary(of: first)
            }
            $0.field("sessions", group.count)
            $0.object("journal") {
                $0.field("session", group.session.description)
                $0.field("version", group.version)
                if let problem = group.problem {
                    $0.outcome("recorded", problem.recorded)
                    $0.outcome("now", problem.now)
                    $0.field("reason", problem.reason)
                } else {
                    $0.field("path", group.path)
                    $0.field("reason", group.differences.first?.description)
                    $0.array("differences", group.differences) { $0.difference($1) }
                    $0.field("unlisted", group.unlisted)
                }
            }
            if !group.others.isEmpty {
                $0.array("others", DeployCheckReport.sorted(group.others)) { json, other in
                    json.object {
                        $0.field("cause", other.difference.cause.rawValue)
                        $0.field("screen", other.difference.screen)
                        $0.field("name", other.difference.name)
                        $0.field("sessions", other.count)
                    }
                }
            }
        }
    }

    private mutating func difference(_ difference: PlaceComparison.Difference) {
        object {
            $0.summary(of: difference)
            $0.field("row", difference.row)
            $0.field("was", difference.was)
            $0.field("now", difference.now)
        }
    }

    private mutating func summary(of difference: PlaceComparison.Difference) {
        field("cause", difference.cause.rawValue)
        field("screen", difference.screen)
        field("name", difference.name)
        field("title", difference.title)
    }

    private mutating func outcome(_ name: StaticString, _ outcome: AppChange.Outcome?) {
        guard let outcome else {
            key(name)
            return null()
        }
        object(name) {
            $0.field("event", outcome.event)
            $0.field("handled", outcome.isHandled)
            $0.field("handledBy", outcome.handledBy)
            $0.field("path", outcome.path)
        }
    }
}
