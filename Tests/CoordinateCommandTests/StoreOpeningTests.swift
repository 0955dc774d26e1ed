import Foundation
import GRDB
import Glibc
import PostgreSQLCluster
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

    /// Creates a folder with a journal that a server has used.
    nonisolated(nonsending) private func withJournal(
        _ body: nonisolated(nonsending) (String) async throws -> Void
    ) async throws {
        try await withFolder([:]) { folder in
            let path = folder.appending(path: "sessions.sqlite").path
            try await Program.run(["serve", "--port", "0", "--journal", "sqlite:\(path)"]) { program in
                let answer = try await Web().get(program.url() + "/route")
                #expect(answer.status == 200)
                program.kill(SIGTERM)
                #expect(await program.status() == 0)
            }
            try await body(path)
        }
    }

    // MARK: Status 64

    @Test(arguments: [
        "nonsense", "nonsense:secret", "sqlite:", "sqlite", "postgres://[", "postgres://u:secret@[::1/x",
        "postgresql://u:sec%zzret@localhost/x", "mysql://u:secret@localhost/x",
    ])
    func aMalformedAddressIsRefused(journal: String) async throws {
        let (status, message) = try await refusal(of: journal)
        #expect(status == 64)
        #expect(message.hasPrefix("coordinate-server: ") || message.hasPrefix("Error: "))
        #expect(message.contains("The journal") || message.contains("PostgreSQL"))
    }

    @Test(arguments: ["postgres://[", "postgresql://u:sec%zzret@localhost/x"])
    func aMalformedURIInTheEnvironmentIsRefused(journal: String) async throws {
        #expect(try await refusal(of: journal, byVariable: true).status == 64)
    }

    // MARK: Status 69

    @Test func aMissingPostgreSQLServerIsUnavailable() async throws {
        let (status, message) = try await refusal(of: "postgres://u:secret@127.0.0.1:1/x")
        #expect(status == 69)
        #expect(message.contains("127.0.0.1"))
    }

    @Test func aMissingFolderIsUnavailable() async throws {
        try await withFolder([:]) { folder in
            let path = folder.appending(path: "nowhere/sessions.sqlite").path
            let (status, message) = try await refusal(of: "sqlite:\(path)")
            #expect(status == 69)
            #expect(message.contains(path))
        }
    }

    @Test(.enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint)))
    func aRefusedUserOrUnknownDatabaseIsUnavailable() async throws {
        let cluster = try await PostgreSQLCluster.shared
        for address in [
            cluster.address(user: "locked", password: "not-secret").replacing("/postgres", with: "/locked"),
            cluster.address(user: "locked", password: "a-secret"), "postgres://postgres@\(cluster.host)/nowhere",
        ] {
            #expect(try await refusal(of: address).status == 69)
        }
    }

    // MARK: Status 78

    @Test func aFileInUseIsRefusedWithTheIDOfItsProcess() async throws {
        try await withFolder([:]) { folder in
            let journal = "sqlite:\(folder.appending(path: "sessions.sqlite").path)"
            try await Program.run(["serve", "--port", "0", "--journal", journal]) { program in
                let url = try await program.url()
                let (status, message) = try await refusal(of: journal)
                #expect(status == 78)
                #expect(message.contains("process \(program.id) "))
                #expect(try await Web().get(url + "/readyz").status == 200)
                program.kill(SIGKILL)
                _ = await program.status()
            }
            // The file is free again, however its server ended.
            try await Program.run(["serve", "--port", "0", "--journal", journal]) { program in
                let answer = try await Web().get(program.url() + "/readyz")
                #expect(answer.status == 200)
            }
        }
    }

    @Test func aDamagedFileIsRefused() async throws {
        try await withJournal { path in
            var content = try Data(contentsOf: URL(filePath: path))
            content.replaceSubrange(4_096..<8_192, with: Data(repeating: 0xA5, count: 4_096))
            try content.write(to: URL(filePath: path))
            let (status, message) = try await refusal(of: "sqlite:\(path)")
            #expect(status == 78)
            #expect(message.contains("damaged"))
            try Data("no database".utf8).write(to: URL(filePath: path))
            #expect(try await refusal(of: "sqlite:\(path)").status == 78)
        }
    }

    @Test func aNewerFileIsRefused() async throws {
        try await withJournal { path in
            let newer = try DatabaseQueue(path: path)
            try await newer.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99')") }
            try newer.close()
            let (status, message) = try await refusal(of: "sqlite:\(path)")
            #expect(status == 78)
            #expect(message.contains("newer"))
        }
    }

    @Test(.enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint)))
    func aNewerSchemaIsRefused() async throws {
        let cluster = try await PostgreSQLCluster.shared
        let address = try await cluster.makeAddress()
        try await Program.run(["serve", "--port", "0", "--journal", address]) { program in
            let answer = try await Web().get(program.url() + "/readyz")
            #expect(answer.status == 200)
        }
        try await cluster.execute("UPDATE coordinate_schema SET version = version + 1", at: address)
        let (status, message) = try await refusal(of: address)
        #expect(status == 78)
        #expect(message.contains("newer"))
    }
}
