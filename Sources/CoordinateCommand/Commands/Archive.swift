internal import ArgumentParser
internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation

struct Archive<Arguments: DataArguments>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "archive",
            abstract: "Writes ended sessions to files, and deletes them from a store.",
            discussion: """
                Servers with --keep-ended leave ended and expired sessions in the store for a while. Each of them \
                becomes a file ID.ndjson in the folder, as from export, which can be imported and replayed. Then the \
                session leaves the store. A file is complete or absent, and none is overwritten, so the command can be \
                interrupted and repeated. PostgreSQL may be in use by servers, a SQLite file may not.

                Exit status: 0; 64 for a wrong option; 69 for a store that cannot be reached; 78 for a wrong setting, \
                a store that cannot be used or is in use, a file that cannot be written or exists with another \
                content, or a session that cannot be read.
                """
        )
    }

    @Option(help: ArgumentHelp("The folder of the files, which is created if necessary.", valueName: "folder"))
    var to: String

    @Argument(help: ArgumentHelp(HostProgram.current.stores.storeHelp, valueName: "store"))
    var store: String

    @OptionGroup var app: AppOptions<Arguments>

    func validate() throws {
        try HostProgram.current.stores.validate(store)
        if to.isEmpty { throw ValidationError("--to is empty. Name a folder.") }
    }

    func run() async throws {
        try await ExitCode.reportingErrors {
            let host = HostProgram.current
            let settings = try await Settings(of: host, file: app.config, options: app.values)
            let made = try host.makeApp(data: settings.appData)
            let journal = try host.stores.address(store).openExisting()
            defer { journal.close() }
            let folder = try ArchiveFolder(to)
            var archive = EndedSessions(of: made.name, in: journal)
            let result = try await archive.move(to: folder)
            let count = result.count == 1 ? "1 session" : "\(result.count) sessions"
            try? FileHandle.standardOutput.write(contentsOf: Data("\(count) archived to \(to)\n".utf8))
            if result.failures > 0 { throw ExitCode.unusable }
        }
    }
}
