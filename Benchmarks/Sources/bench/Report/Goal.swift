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
    /// Whom a server that meets it is ahead of, or what limits it.
    let peer: String
    /// The title of the section of PROFILE.md with the details.
    let section: String

    private init(_ title: String, _ bound: Bound, _ unit: Unit = .ratio, aheadOf peer: String, in section: String) {
        self.title = title
        self.bound = bound
        self.unit = unit
        self.peer = peer
        self.section = section
    }

    static func == (left: Self, right: Self) -> Bool { left.title == right.title }

    func hash(into hasher: inout Hasher) { hasher.combine(title) }
}

extension Goal {
    /// Every goal, in the order of the report.
    static let all = [
        fullEvents, shortEvents, reads, durableFullEvents, durableShortEvents, synchronizations, inserts, sqlite,
        postgreSQL, sqliteLatency, postgreSQLLatency, sqlitePages, postgreSQLPages, live, passive, manyReads,
        manyWrites,
        storedWrites, storedStart, waking, explore, deepEvent, deepPush,
    ]

    // Requests per second, divided by those of an ordinary program.
    static let fullEvents = ordinary("events/s, with the document", 2)
    static let shortEvents = ordinary("events/s, short answer", 1.5)
    static let reads = ordinary("reads/s, with the document", 4)
    static let durableFullEvents = ordinary("durable events/s, with the document", 2)
    static let durableShortEvents = ordinary("durable events/s, short answer", 2)

    private static func ordinary(_ title: String, _ ratio: Double) -> Goal {
        Goal(
            title, .atLeast(ratio), aheadOf: "the same work in [a program with Hummingbird](Sources/hummingbird-app)",
            in: "Next to an ordinary program")
    }

    // Events per second with 64 clients and 1,000 sessions.
    static let synchronizations = Goal(
        "durable events/s, SQLite", .atLeast(1), aheadOf: "one `fdatasync` for each event, on the same disk",
        in: "Journals on disk")
    static let inserts = Goal(
        "durable events/s, PostgreSQL", .atLeast(1), aheadOf: "inserts of one row by 64 clients of `pgbench`",
        in: "Journals on disk")
    static let sqlite = Goal(
        "events/s, SQLite", .atLeast(0.45), aheadOf: "limit: the journal in memory", in: "Journals on disk")
    static let postgreSQL = Goal(
        "events/s, PostgreSQL", .atLeast(0.40), aheadOf: "limit: the journal in memory", in: "Journals on disk")

    // At half of the store's highest rate.
    static let sqliteLatency = Goal(
        "p99 at half load, SQLite", .atMost(10), .milliseconds, aheadOf: "limit: the disk alone",
        in: "Latency of durable events")
    static let postgreSQLLatency = Goal(
        "p99 at half load, PostgreSQL", .atMost(10), .milliseconds, aheadOf: "limit: `pgbench` at the same rate",
        in: "Latency of durable events")

    // A page by attribute among a million sessions, divided by one among a thousand.
    static let sqlitePages = Goal(
        "a page by attribute, SQLite, a million sessions", .atMost(2), aheadOf: "a thousand sessions",
        in: "Journals on disk")
    static let postgreSQLPages = Goal(
        "a page by attribute, PostgreSQL, a million sessions", .atMost(2), aheadOf: "a thousand sessions",
        in: "Journals on disk")

    // Resident memory per session.
    static let live = Goal(
        "a live session, its route read", .atMost(20_480), .bytes,
        aheadOf: """
            half of [a new process of Phoenix LiveView](https://online.pragmaticstudio.com/tour/courses/liveview-2ed-pro/steps/6)
            """, in: "Many sessions")
    static let passive = Goal(
        "a passive session", .atMost(2_048), .bytes, aheadOf: "limit: its row and entries in the journal",
        in: "Many sessions")

    // Requests per second of processor time with a million sessions, divided by a thousand.
    static let manyReads = Goal(
        "GET, a million sessions", .atLeast(0.9), aheadOf: "a thousand sessions", in: "Many sessions")
    static let manyWrites = Goal(
        "POST, a million sessions", .atLeast(0.9), aheadOf: "a thousand sessions", in: "Many sessions")

    // A file with a million sessions, next to a file with a thousand.
    static let storedWrites = Goal(
        "POST, 20,000 sessions of a file of a million", .atLeast(0.5),
        aheadOf: "a file of a thousand; limit: a page per entry", in: "Journals on disk")
    static let storedStart = Goal(
        "start with a file of a million", .atMost(2), .seconds, aheadOf: "the sessions are read when they are used",
        in: "Journals on disk")

    /// Replayed events per second of processor time.
    static let waking = Goal(
        "replayed events/s", .atLeast(300_000), .perSecond, aheadOf: "limit: each event is a whole turn of the app",
        in: "Replay")

    static let explore = Goal(
        "explored transitions/s", .atLeast(10_000), .perSecond,
        aheadOf: "limit: the turns of a replay, since a tree cannot be copied",
        in: "A transition of explore")

    // A turn at the top of a deep stack, divided by the same turn on a stack of 1.
    static let deepEvent = Goal(
        "an event, 900 screens deep", .atMost(2), aheadOf: "1 screen", in: "Deep stacks")
    static let deepPush = Goal(
        "a push and a pop, 900 screens deep", .atMost(2), aheadOf: "1 screen", in: "Deep stacks")
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
