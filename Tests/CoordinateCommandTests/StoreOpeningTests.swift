import CoordinateTesting
import Foundation
import Glibc
import SessionFixtures
import Testing

/// The messages and the exit status for a store that cannot be used.
@Suite(.serialized) struct StoreOpeningTests {
    /// Starts a server that must refuse its journal, given as an option or in the environment.
    private func refusal(
        of journal: String, byVariable: Bool = false
    ) async throws -> (status: Int32, message: String) {
        let arguments = ["serve", "--port", "0"] + (byVariable ? [] : ["--journal", journal])
        let outcome = try await Program.outcome(
            of: arguments, environment: byVariable ? ["COORDINATE_JOURNAL": journal] : [:])
        #expect(outcome.output.isEmpty)
        // A message about an option is followed by the usage.
        let isUsage = outcome.errors.contains("Usage: ")
        #expect(isUsage || outcome.errors.split(separator: "\n").count == 1, "one message: \(outcome.errors)")
        #expect(!outcome.errors.contains("secret"))
        return (outcome.status, outcome.errors)
    }

    @Test(arguments: [
        "nonsense", "nonsense:secret", "sqlite:", "sqlite", "postgres://[", "postgres://u:secret@[::1/x",
        "postgresql://u:sec%zzret@localhost/x", "mysql://u:secret@localhost/x",
    ])
    func aMalformedAddressIsRefused(journal: String) async throws {
        for byVariable in journal.hasPrefix("postgres") ? [false, true] : [false] {
            let (status, message) = try await refusal(of: journal, byVariable: byVariable)
            #expect(status == 64)
            #expect(message.hasPrefix("coordinate-server: ") || message.hasPrefix("Error: "))
            #expect(message.contains("The journal") || message.contains("PostgreSQL"))
        }
    }

    @Test func aMissingPostgreSQLServerIsUnavailable() async throws {
        let (status, message) = try await refusal(of: "postgres://u:secret@127.0.0.1:1/x")
        #expect(status == 69)
        #expect(message.contains("127.0.0.1"))
    }

    @Test func aFileInUseIsRefusedWithTheIDOfItsProcess() async throws {
        try await withFolder { folder in
            let journal = "sqlite:\(folder.appending(path: "sessions.sqlite").path)"
            try await Program.run(["serve", "--port", "0", "--journal", journal]) { program in
                let url = try await program.url()
                let (status, message) = try await refusal(of: journal)
                #expect(status == 78)
                #expect(message.contains("process \(program.id) "))
                #expect(try await SessionClient(url: url).get("/readyz").status == 200)
                program.kill(SIGKILL)
                _ = await program.status()
            }
            // The file is free again, however its server ended.
            try await Program.run(["serve", "--port", "0", "--journal", journal]) { program in
                let answer = try await SessionClient(url: program.url()).get("/readyz")
                #expect(answer.status == 200)
            }
        }
    }
}
