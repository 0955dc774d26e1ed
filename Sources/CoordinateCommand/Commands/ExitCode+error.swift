internal import ArgumentParser
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation

extension ExitCode {
    /// Something outside of this program is not to be had (sysexits.h: EX_UNAVAILABLE).
    static let unavailable = ExitCode(69)
    /// A setting, or a file that it names, cannot be used (sysexits.h: EX_CONFIG).
    static let unusable = ExitCode(78)

    /// Says in one line on the standard error why the program ends.
    init(_ error: ServerError) {
        switch error {
        case .unavailable: self = .unavailable
        case .configuration: self = .unusable
        }
        Self.complain(error.description)
    }

    init(_ error: JournalOpeningError) {
        switch error {
        case .badAddress: self = .validationFailure
        case .unreachable: self = .unavailable
        case .unusable: self = .unusable
        }
        Self.complain(error.description)
    }

    /// Says in one line on the standard error what is wrong.
    static func complain(_ message: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(HostProgram.current.name): \(message)\n".utf8))
    }
}
