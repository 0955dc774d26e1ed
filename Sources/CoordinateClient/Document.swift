/// The documents of the REST interface, as a client reads them.
///
/// ```swift
/// let outcome = try answer.decode(Document.Outcome.self)
/// #expect(outcome.handledBy == "AppCoordinator/MainCoordinator")
/// ```
///
/// Decoding requires every field that the API promises, and ignores fields that a later server may add.
public enum Document {
    /// A session: `GET /sessions/{id}`.
    public struct Session: Decodable, Equatable, Sendable {
        public let id: String
        /// The number of events that the session has accepted.
        public let version: Int
        public let path: String
        /// RFC 3339, in UTC.
        public let createdAt: String
        /// RFC 3339, in UTC.
        public let expiresAt: String
        /// RFC 3339, in UTC; `nil` if there was no event.
        public let lastEventAt: String?
        /// The name that people gave the session; `nil` if it has none.
        public let name: String?
        /// The name under which a backend finds the session; `nil` if it has none, or for clients that are no operators.
        public let key: String?
        /// The texts by which a backend finds the session; empty for clients that are no operators.
        public let attributes: [String: String]
        /// A stable name of the session, which grants nothing; `nil` for clients that are no operators.
        public let reference: String?
        public let app: String
        /// The version of the app that created it.
        public let appVersion: String
        /// The options with which the session was created: an object.
        public let options: JSON
        /// `live`, `passive`, `quarantined` or `damaged`.
        public let state: String
        /// The place where the session was forked from another one; `nil` if it was not forked.
        public let parent: Parent?
        /// The number of pending tasks and timers.
        public let pending: Int
        /// Whether its work is withheld; `nil` if work starts and timers fire as usual.
        public let work: Work?
        public let links: Links

        /// The treatment of a session's work and timers.
        public enum Work: String, Decodable, Sendable {
            /// Pending work never starts, and timers never fire. Clients post the outcomes.
            case withheld
        }

        /// The session and the version from which a fork was created.
        public struct Parent: Decodable, Equatable, Sendable {
            public let session: String
            /// The last version that both have in common.
            public let version: Int
        }

        public struct Links: Decodable, Equatable, Sendable {
            public let session: String
            public let route: String
            public let events: String

            private enum CodingKeys: String, CodingKey {
                case session = "self"
                case route, events
            }
        }
    }

    /// A page of sessions: `GET /sessions`.
    public struct SessionPage: Decodable, Equatable, Sendable {
        /// Last used first.
        public let sessions: [Session]
        /// The value of `after` that requests the next page; `nil` on the last one.
        public let next: String?
    }

    /// The outcome of an event: `POST /events`.
    public struct Outcome: Decodable, Equatable, Sendable {
        public let version: Int
        public let event: String
        public let handled: Bool
        /// The id of the coordinator that handled the event; `nil` if none did.
        public let handledBy: String?
        /// The coordinators visited, leaf first.
        public let trace: [Visit]
        public let path: String
        public let leaf: String
        /// The route after the event; `nil` if the request preferred `return=minimal`.
        public let route: Route?

        public struct Visit: Decodable, Equatable, Sendable {
            public let coordinator: String
            public let intercepted: Bool
        }
    }

    /// A page of the journal: `GET /events`.
    public struct Journal: Decodable, Equatable, Sendable {
        /// Oldest first.
        public let events: [JournalEntry]
        /// The value of `after` that requests the next page; `nil` on the last one.
        public let next: Int?
    }

    /// One event that the session accepted.
    public struct JournalEntry: Decodable, Equatable, Sendable {
        public let version: Int
        /// RFC 3339, in UTC.
        public let time: String
        public let event: String
        public let payload: JSON
        /// The id of the coordinator at which it was emitted.
        public let at: String
        public let handled: Bool
        public let handledBy: String?
        /// The path after the event.
        public let path: String
        /// `client`, `work`, `timer` or `host`.
        public let origin: String
        /// The id of the work or timer whose outcome the event is; `nil` for other events.
        public let pending: String?
    }

    /// The difference between the routes of two versions: `GET /sessions/{id}/changes`.
    public struct Changes: Decodable, Equatable, Sendable {
        public let from: Int
        public let to: Int
        /// In the order of the route document of the higher version.
        public let changes: [Change]

        /// The change at a place; `nil` if there is none.
        public subscript(pointer: String) -> Change? { changes.first { $0.pointer == pointer } }

        /// A value that differs, was added or was removed.
        public struct Change: Decodable, Equatable, Sendable {
            /// The place in the document of the higher version, or of the lower one if the value was removed.
            public let pointer: String
            /// The value at `from`'s version; ``JSON/null`` if it was missing.
            public let from: JSON
            /// The value at `to`'s version; ``JSON/null`` if it is missing.
            public let to: JSON
        }
    }

    /// The reason why a request was refused (RFC 9457).
    public struct Problem: Decodable, Equatable, Sendable {
        /// `/problems/unknown-event`
        public let type: String
        public let title: String
        public let status: Int
        /// The advice to the client.
        public let detail: String
        /// The known name or value that is nearest to the client's; `nil` if none is near.
        public let didYouMean: String?
        /// The known names or values; `nil` if the problem does not list them.
        public let known: [String]?
    }
}

extension Document.Problem {
    /// The problem in one line: `422 /problems/unknown-event. There is no such event. Did you mean cart.add?`
    var summary: String {
        let summary = "\(status) \(type). \(detail)"
        if let didYouMean { return detail.contains(didYouMean) ? summary : "\(summary) Did you mean \(didYouMean)?" }
        guard let known, !known.isEmpty else { return summary }
        return "\(summary) Known are: \(known.joined(separator: ", "))."
    }
}
