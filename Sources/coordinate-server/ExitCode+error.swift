import ArgumentParser
import CoordinateServer
import CoordinateSessions
import Foundation

extension ExitCode {
    /// Says in one line on the standard error why the program ends; the status is as sysexits.h has them.
    init(_ error: ServerError) {
        switch error {
        case .unavailable: self.init(69, error)
        case .configuration: self.init(78, error)
        }
    }

    init(_ error: JournalOpeningError) {
        switch error {
        case .badAddress: self.init(64, error)
        case .unreachable: self.init(69, error)
        case .unusable: self.init(78, error)
        }
    }

    init(_ error: JournalReplayError) {
        self.init(1, error)
    }

    private init(_ status: Int32, _ error: any Error) {
        try? FileHandle.standardError.write(contentsOf: Data("coordinate-server: \(error)\n".utf8))
        self.init(status)
    }
}
