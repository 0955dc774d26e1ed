internal import ArgumentParser
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation

struct Erase: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "erase",
            abstract: "Deletes a session and everything that a store has of it.",
            discussion: """
                Forks that share its events keep them and continue; the standard output names them, and what they \
                have of it.

                In SQLite no byte of it is left in the file, its free pages and its log. No server may use the file \
                meanwhile, and the disk must have room for a second copy. An interrupted erasure is finished by the \
                same command. From PostgreSQL the rows are deleted, beside servers; the standard output says what \
                PostgreSQL keeps, and until when.

                Exit status: 0; 64 for a wrong option; 69 for a store that cannot be reached or written; 78 for a \
                store that cannot be used, is in use, or has no such session.
                """
        )
    }

    @Argument(help: "The id of the session.", transform: SessionID.init(argument:))
    var session: SessionID

    @Argument(help: ArgumentHelp(HostProgram.current.stores.storeHelp(), valueName: "store"))
    var store: String

    func validate() throws {
        try HostProgram.current.stores.validate(store)
    }

    func run() async throws {
        try await ExitCode.reportingErrors {
            let journal = try HostProgram.current.stores.address(store).openExisting()
            defer { journal.close() }
            do {
                let erasure = try await journal.erase(session)
                try ExitCode.write(Data(text(of: erasure).utf8))
            } catch let error as JournalError {
                throw Self.failure(error)
            }
        }
    }

    private static func failure(_ error: JournalError) -> ServerError {
        switch error {
        case .noSuchSession: .configuration("The session is not in the store. Name another session or store.")
        case .outcomeUnknown:
            .unavailable(
                "The session may be deleted, but traces of it are left in the store. Erase it again when the store"
                    + " can be reached and has room.")
        default: .unavailable("The store cannot be reached or written. Nothing was erased. Retry later.")
        }
    }

    private func text(of erasure: Erasure) -> String {
        var lines = [
            erasure.isContinuation
                ? "An earlier run deleted the session. This one removed the remaining traces."
                : "The session is erased."
        ]
        for holder in erasure.holders {
            let events = holder.version == 1 ? "event 1" : "events 1 to \(holder.version)"
            let line =
                switch holder.kind {
                case .fork: "Its fork \(holder.session) has \(events) of it, and keeps them."
                case .editedFork:
                    "Its edited fork \(holder.session) has copies of its \(events), and keeps them."
                case .original: "The session \(holder.session) from which it was forked has \(events) as well."
                }
            lines.append(line)
        }
        if !erasure.holders.isEmpty { lines.append("To remove those events as well, erase these sessions.") }
        lines.append(erasure.remnants)
        return lines.joined(separator: "\n") + "\n"
    }
}
