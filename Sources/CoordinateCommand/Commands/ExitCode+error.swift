internal import ArgumentParser
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation
internal import Logging

extension ExitCode {
    /// Another program or address is not available (sysexits.h: EX_UNAVAILABLE).
    static let unavailable = ExitCode(69)
    /// A setting, or a file that it names, is not valid (sysexits.h: EX_CONFIG).
    static let unusable = ExitCode(78)

    /// Runs the body of a command. If it fails, the reason goes to the standard error, and the command ends with its
    /// status.
    ///
    /// - Parameter log: Creates the handler of a logger.
    static nonisolated(nonsending) func reportingErrors(
        log: @escaping @Sendable (String) -> any LogHandler = { StreamLogHandler.standardError(label: $0) },
        _ body: nonisolated(nonsending) () async throws -> Void
    ) async throws {
        LoggingSystem.bootstrap(log)
        do {
            try await body()
        } catch let error as ServerError {
            complain(error.description)
            throw if case .unavailable = error { unavailable } else { unusable }
        } catch let error as JournalOpeningError {
            complain(error.description)
            switch error {
            case .badAddress: throw validationFailure
            case .unreachable: throw unavailable
            case .unusable: throw unusable
            }
        }
    }

    /// Writes the result of a command to the standard output.
    ///
    /// - Throws: ``ServerError`` if it cannot be written, for example because a disk is full.
    static func write(_ result: some DataProtocol) throws(ServerError) {
        do {
            try FileHandle.standardOutput.write(contentsOf: result)
        } catch {
            throw .unavailable("The standard output cannot be written, perhaps because a disk is full.")
        }
    }

    /// Writes a message to the standard error, with the program's name in front.
    static func complain(_ message: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(HostProgram.current.name): \(message)\n".utf8))
    }
}
