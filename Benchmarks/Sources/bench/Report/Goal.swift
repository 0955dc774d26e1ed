import Loopback

/// What a measurement must reach. All bounds are in this file.
///
/// A goal also has the reason that the report gives if the goal is missed, and the section of PROFILE.md that argues it.
struct Goal: Hashable {
    /// The side on which a value must be.
    enum Bound {
        case atMost(Double)
        case atLeast(Double)
    }

    /// How a value is written.
    enum Unit {
        case ratio
        case bytes
        case seconds
        case milliseconds
        case perSecond
    }

    let title: String
    let bound: Bound
    let unit: Unit
    /// The reason if it is missed, in a few words.
    let reason: String
    /// The title of the section of PROFILE.md with the details.
    let section: String

    private init(_ title: String, _ bound: Bound, _ unit: Unit = .ratio, else reason: String, in section: String) {
        self.title = title
        self.bound = bound
        self.unit = unit
        self.reason = reason
        self.section = section
    }

    static func == (left: Self, right: Self) -> Bool { left.title == right.title }

    func hash(into hasher: inout Hasher) { hasher.combine(title) }
}

extension Goal {
    /// Every goal, in the order of the report.
    static let all = [
        route, notModified, minimal, full, sqlite, postgreSQL, sqliteLatency, postgreSQLLatency, sqliteStore,
        postgreSQLStore, sqlitePages, postgreSQLPages, live, passive, manyReads, manyWrites, storedWrites, storedStart,
        waking, deepEvent, deepPush,
        explore,
    ]

    // The processor time of a request, divided by bare libmicrohttpd's.
    static let route = Goal(
        "GET / bare libmicrohttpd", .atMost(1.10), else: "the header's checks, the session's lock", in: "The floor")
    static let notModified = Goal(
        "304 / bare libmicrohttpd", .atMost(1.10), else: "the header's checks, the session's lock", in: "The floor")
    static let minimal = Goal(
        "POST, minimal / bare libmicrohttpd", .atMost(2.1), else: "the app's turn, its entry, the answer",
        in: "The floor")
    static let full = Goal(
        "POST, full / bare libmicrohttpd", .atMost(3.2), else: "the app computes 3 KB of content", in: "The floor")

    // Events per second with 64 clients and 1,000 sessions, divided by the journal in memory.
    static let sqlite = Goal(
        "events/s, SQLite / memory", .atLeast(0.45), else: "threads wake each other for each group",
        in: "Journals on disk")
    static let postgreSQL = Goal(
        "events/s, PostgreSQL / memory", .atLeast(0.40), else: "its server shares the two cores",
        in: "Journals on disk")

    // At half of the store's highest rate.
    static let sqliteLatency = Goal(
        "p99 at half load, SQLite", .atMost(10), .milliseconds, else: "a commit waits for the disk and for filing",
        in: "Latency of durable events")
    static let postgreSQLLatency = Goal(
        "p99 at half load, PostgreSQL", .atMost(10), .milliseconds, else: "a commit waits for the disk",
        in: "Latency of durable events")

    // Entries per second without a server, divided by a loop in C.
    static let sqliteStore = Goal(
        "store alone, SQLite / C", .atLeast(0.8), else: "it writes JSON and has waiting clients",
        in: "Journals on disk")
    static let postgreSQLStore = Goal(
        "store alone, PostgreSQL / C", .atLeast(0.8), else: "it writes JSON and has waiting clients",
        in: "Journals on disk")

    // A page by attribute among a million sessions, divided by one among a thousand.
    static let sqlitePages = Goal(
        "a page by attribute, SQLite, a million / a thousand", .atMost(2),
        else: "pages of the file that are not cached",
        in: "Journals on disk")
    static let postgreSQLPages = Goal(
        "a page by attribute, PostgreSQL, a million / a thousand", .atMost(2),
        else: "pages of the tables that are not cached", in: "Journals on disk")

    // Resident memory per session.
    static let live = Goal(
        "a live session, its route read", .atMost(8_192), .bytes, else: "its objects, a document and headers",
        in: "Many sessions")
    static let passive = Goal(
        "a passive session", .atMost(2_048), .bytes, else: "its entries, and what malloc keeps", in: "Many sessions")

    // Requests per second of processor time with a million sessions, divided by a thousand.
    static let manyReads = Goal(
        "GET, a million sessions / a thousand", .atLeast(0.9), else: "cache misses", in: "Many sessions")
    static let manyWrites = Goal(
        "POST, a million sessions / a thousand", .atLeast(0.9), else: "cache misses of a tree's objects",
        in: "Many sessions")

    // A file with a million sessions, next to a file with a thousand.
    static let storedWrites = Goal(
        "POST, 20,000 sessions of a file of a million", .atLeast(0.8), else: "filing writes a page per entry",
        in: "Journals on disk")
    static let storedStart = Goal(
        "start with a file of a million", .atMost(2), .seconds, else: "the disk", in: "Journals on disk")

    /// Replayed events per second of processor time.
    static let waking = Goal(
        "replayed events/s", .atLeast(400_000), .perSecond, else: "each event is a whole turn of the app",
        in: "Replay")

    // A turn at the top of a deep stack, divided by the same turn on a stack of 1.
    static let deepEvent = Goal(
        "an event, 900 screens deep / 1", .atMost(2), else: "the depth costs", in: "Deep stacks")
    static let deepPush = Goal(
        "a push and a pop, 900 screens deep / 1", .atMost(2), else: "the depth costs", in: "Deep stacks")

    static let explore = Goal(
        "explored transitions/s", .atLeast(50_000), .perSecond, else: "each one replays 5 events on a new tree",
        in: "A transition of explore")

    /// The goal for a kind of request.
    static func cost(of workload: Workload) -> Goal {
        switch workload {
        case .route: route
        case .notModified: notModified
        case .minimal: minimal
        case .full: full
        }
    }
}

extension Goal {
    /// The value of its bound.
    var limit: Double {
        switch bound {
        case .atMost(let value), .atLeast(let value): value
        }
    }

    func isMet(by value: Double) -> Bool {
        switch bound {
        case .atMost(let most): value <= most
        case .atLeast(let least): value >= least
        }
    }

    /// `≤ 1.10`
    var text: String {
        switch bound {
        case .atMost(let value): "≤ \(format(value))"
        case .atLeast(let value): "≥ \(format(value))"
        }
    }

    /// `≤ 1.10 ✓`
    func verdict(_ value: Double) -> String { "\(text) \(isMet(by: value) ? "✓" : "✗")" }

    func format(_ value: Double) -> String {
        switch unit {
        case .ratio: value.text(2)
        case .bytes: "\(Int(value.rounded()).grouped) B"
        case .seconds: "\(value.text(2)) s"
        case .milliseconds: "\(value.text(1)) ms"
        case .perSecond: Int(value.rounded()).grouped
        }
    }

    /// The address of its section in PROFILE.md.
    var link: String { "PROFILE.md#\(section.lowercased().replacing(" ", with: "-"))" }
}
