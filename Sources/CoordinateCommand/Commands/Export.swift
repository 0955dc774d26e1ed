internal import ArgumentParser
internal import Configuration
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation
internal import JSON

struct Export<Arguments: DataArguments>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "export",
            abstract: "Writes the journal of a session in a store.",
            discussion: """
                One line of JSON for the start of the session, then one per event, as from curl -H 'Accept: \
                application/x-ndjson' HOST/sessions/SESSION/events. The store is only read, and may be in use.

                Exit status: 0; 64 for a wrong option; 69 for a store that cannot be reached, or an output that \
                cannot be written; 78 for a store that cannot be used or has no such session.
                """
        )
    }

    @Argument(help: "The id of the session.", transform: SessionID.init(argument:))
    var session: SessionID

    @Option(
        help: ArgumentHelp(HostProgram.current.stores.storeHelp(" (COORDINATE_JOURNAL)"), valueName: "journal"))
    var journal: String?

    @OptionGroup var app: AppOptions<Arguments>

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
            try Self.write { $0.line(JournalHeader(of: head.record)) }
            try await store.forEachEntry(of: head) { entry in
                try Self.write { json in json.line { $0.entry(entry, recordedBy: head.record.appVersion) } }
            }
        }
    }

    private static func write(_ line: (inout JSONWriter<[UInt8]>) -> Void) throws(ServerError) {
        var json = JSONWriter<[UInt8]>()
        line(&json)
        try ExitCode.write(Data(json.finish()))
    }
}

extension SessionID {
    /// Parses an argument of the command line.
    init(argument: String) throws {
        guard let id = SessionID(argument) else {
            throw ValidationError("\"\(argument)\" is not a session id. Ids have 22 letters, digits, - and _.")
        }
        self = id
    }
}
