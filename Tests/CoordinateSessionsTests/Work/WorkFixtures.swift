import Coordinate
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// A registry of sessions of the work app, with its world and its clock.
struct Workshop {
    let world: World
    let clock: ManualClock
    let journal: any Journal
    let registry: SessionRegistry

    init(
        world: World = World(), clock: ManualClock = ManualClock(), journal: any Journal = MemoryJournal(),
        limits: SessionLimits = .make(), log: LogCapture = LogCapture(), memory: Int = .max
    ) {
        self.world = world
        self.clock = clock
        self.journal = journal
        registry = .make(
            app: WorkApp(world), journal: journal, clock: clock.clock, limits: limits, logger: log.logger,
            memory: memory)
    }

    func begin(_ options: PlainField...) async throws -> Session {
        try await registry.begin(options: .object(options)).session
    }

    /// Releases all trees that are not in use.
    func passivate() {
        clock.advance(by: 310)
        registry.sweep()
    }
}

extension Session {
    /// Injects an event of the work app with one value.
    @discardableResult
    func take(_ name: String, _ field: String? = nil, _ value: PlainValue = .null) async throws -> EventOutcome {
        try await inject(.make("work.\(name)", .object(field.map { [PlainField($0, value)] } ?? [])))
    }

    func ask(_ name: String) async throws { try await take("ask", "name", .string(name)) }

    /// The state of the last version.
    var state: NavigationState { get async throws { try #require(try await route().route).state } }

    /// The titles of the rows, which show the outcomes.
    var notes: [String] { get async throws { try await state.screen.rows.map(\.title) } }

    var journal: [JournalEntry] { get async throws { try await entries(after: 0, limit: 1_000).entries } }

    /// Returns once the session is at a version, and shows it: the journal has it a moment earlier.
    func reaches(_ version: Int, _ location: SourceLocation = #_sourceLocation) async throws {
        try await waitUntil("It never reached version \(version).", location: location) {
            try await summary().head.version >= version && isIdle
        }
    }
}
