internal import ArgumentParser
internal import Configuration
internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation
internal import JSON
internal import Logging

struct Export: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "export",
            abstract: "Writes the journal of a session in a store, or a test that repeats it.",
            discussion: """
                One line of JSON for the start of the session, then one per event, as from curl -H 'Accept: \
                application/x-ndjson' HOST/sessions/SESSION/events. The store is only read, and may be in use.

                With --as, the journal is replayed and written as a test: in Swift with CoordinateTesting, as a shell \
                script with curl and jq, or for pytest with requests. It presses the buttons that the user pressed, \
                by their titles, and expects the same paths.

                Exit status: 0; 1 for a session that does not replay as recorded; 64 for a wrong option; 69 for a \
                store that cannot be reached, or an output that cannot be written; 78 for a store that cannot be \
                used or has no such session, and for an app with faults.
                """
        )
    }

    @Argument(help: "The id of the session.", transform: SessionID.init(argument:))
    var session: SessionID

    @Option(
        help: ArgumentHelp(HostProgram.current.stores.storeHelp(" (COORDINATE_JOURNAL)"), valueName: "journal"))
    var journal: String?

    @Option(name: .customLong("as"), help: "Write a test in this language: swift, curl or python.")
    var language: RecordedTest.Language?

    @OptionGroup var app: AppOptions

    func validate() throws {
        try journal.map(HostProgram.current.stores.validate)
    }

    func run() async throws {
        try await ExitCode.reportingErrors {
            let options = app.values(["journal": journal.map { .string($0) }])
            let settings = try await Settings(of: .current, file: app.config, options: options)
            let store = try settings.journal.openForReading()
            defer { store.close() }
            guard let head = try await reading({ try await store.head(of: session) }) else {
                throw ServerError.configuration(
                    "The session is not in the store. Name another session or store.")
            }
            if head.damage == 0 { throw ServerError.damaged(version: 0) }
            if let language {
                let app = HostedApp(try app.make(by: settings), logger: Logger(label: "coordinate.export"))
                return try ExitCode.write(Data(try await test(in: language, of: head, in: store, app).utf8))
            }
            try Self.write { $0.line(JournalHeader(of: head.record)) }
            try await store.forEachEntry(of: head) { entry in
                try Self.write { json in json.line { $0.entry(entry, recordedBy: head.record.appVersion) } }
            }
        }
    }

    /// Replays the session, and returns it as a test.
    private nonisolated(nonsending) func test(
        in language: RecordedTest.Language, of head: SessionHead, in store: any Journal, _ app: HostedApp
    ) async throws -> String {
        let replay = JournalReplay(app)
        do {
            try replay.begin(head.record)
            guard let root = replay.root else { return "" }
            var test = RecordedTest(as: language, of: app, JournalHeader(of: head.record), at: root.liveState.visible)
            try await store.forEachEntry(of: head) { entry in
                try replay.read(entry)
                test.append(entry, showing: root.liveState.visible)
            }
            return test.opening + test.steps.joined() + test.closing
        } catch let error as SessionError {
            ExitCode.complain("\(error)")
            throw ExitCode.failure
        }
    }

    private static func write(_ line: (inout JSONWriter<[UInt8]>) -> Void) throws(ServerError) {
        var json = JSONWriter<[UInt8]>()
        line(&json)
        try ExitCode.write(Data(json.finish()))
    }
}

extension RecordedTest.Language: ExpressibleByArgument {}

extension SessionID {
    /// Parses an argument of the command line.
    init(argument: String) throws {
        guard let id = SessionID(argument) else {
            throw ValidationError("\"\(argument)\" is not a session id. Ids have 22 letters, digits, - and _.")
        }
        self = id
    }
}
