/// The documents of the REST interface, as a test reads them.
///
/// ```swift
/// let outcome = try answer.decode(Document.Outcome.self)
/// #expect(outcome.handledBy == "AppCoordinator/MainCoordinator")
/// ```
///
/// Decoding asks for every field that a test may rely on, and leaves out what a later server may add.
public enum Document {
    /// A session: `GET /sessions/{id}`.
    public struct Session: Decodable, Equatable, Sendable {
        public let id: String
        /// How many events it has accepted.
        public let version: Int
        public let path: String
        /// RFC 3339, in UTC.
        public let createdAt: String
        /// RFC 3339, in UTC.
        public let expiresAt: String
        /// RFC 3339, in UTC; nil where there was no event.
        public let lastEventAt: String?
        public let app: String
        /// The version of the app that made it.
        public let appVersion: String
        /// What the app was told about this session when it was made: an object.
        public let options: JSON
        /// `live`, `passive` or `quarantined`.
        public let state: String
        /// Whose fork it is, nil where it is none.
        public let parent: Parent?
        /// How much work, and how many timers, are under way.
        public let pending: Int
        public let links: Links

        /// Where a fork left its parent.
        public struct Parent: Decodable, Equatable, Sendable {
            public let session: String
            /// The last version that both have.
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
        /// What to ask for as `after` to get the next page, nil on the last one.
        public let next: String?
    }

    /// What came of an event: `POST /events`.
    public struct Outcome: Decodable, Equatable, Sendable {
        public let version: Int
        public let event: String
        public let handled: Bool
        /// The id of the coordinator that returned true, nil where none did.
        public let handledBy: String?
        /// The coordinators visited, leaf first.
        public let trace: [Visit]
        public let path: String
        public let leaf: String
        /// The route after the event; nil where the request preferred `return=minimal`.
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
        /// What to ask for as `after` to get the next page, nil on the last one.
        public let next: Int?
    }

    /// One accepted event.
    public struct JournalEntry: Decodable, Equatable, Sendable {
        public let version: Int
        /// RFC 3339, in UTC.
        public let time: String
        public let event: String
        public let payload: JSON
        /// The id of the coordinator it was emitted at.
        public let at: String
        public let handled: Bool
        public let handledBy: String?
        /// The path after the event.
        public let path: String
        /// `client`, `work`, `timer` or `host`.
        public let origin: String
        /// The id of the work or timer it came from, nil where it came from none.
        public let pending: String?
    }

    /// The difference between the routes of two versions: `GET /sessions/{id}/changes`.
    public struct Changes: Decodable, Equatable, Sendable {
        public let from: Int
        public let to: Int
        /// In the order of the route document of the higher version.
        public let changes: [Change]

        /// The change at a place, nil where there is none.
        public subscript(pointer: String) -> Change? { changes.first { $0.pointer == pointer } }

        /// A value that is another one, is new or is gone.
        public struct Change: Decodable, Equatable, Sendable {
            /// The place in the document of the higher version; in that of the lower one, for what is only there.
            public let pointer: String
            /// ``JSON/null`` where there was nothing.
            public let from: JSON
            /// ``JSON/null`` where there is nothing.
            public let to: JSON
        }
    }

    /// Why a request was refused (RFC 9457).
    public struct Problem: Decodable, Equatable, Sendable {
        /// `/problems/unknown-event`
        public let type: String
        public let title: String
        public let status: Int
        /// What to do about it.
        public let detail: String
    }
}
