internal import CoordinatePostgreSQL
internal import CoordinateSQLite
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation

/// A program that tests kill: it serves the payment app from a store, `payment-server JOURNAL TILL`.
@main struct PaymentServer {
    static func main() async throws {
        let (address, folder) = (CommandLine.arguments[1], CommandLine.arguments[2])
        var configuration = ServerConfiguration()
        configuration.port = 0
        let journal: any Journal =
            if address.hasPrefix("sqlite:") {
                try SQLiteJournal(path: String(address.dropFirst("sqlite:".count)))
            } else {
                try PostgreSQLJournal(address)
            }
        defer { journal.close() }
        let app = PaymentApp(till: Till(folder: URL(filePath: folder)))
        try await Server(app: app, journal: journal, configuration: configuration).run { url in
            try? Data(url.utf8).write(to: URL(filePath: folder).appending(path: "address"))
        }
    }
}
