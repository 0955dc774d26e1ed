import Coordinate
import CoordinateSessions
import Foundation
import PostgreSQLCluster
import SessionFixtures
import Testing

@testable import CoordinatePostgreSQL

/// PostgreSQL's programs must be installed if these tests are required.
@Test(.enabled(if: ProcessInfo.processInfo.environment["REQUIRE_POSTGRESQL"] != nil))
func postgreSQLIsInstalledIfItIsRequired() {
    #expect(PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint))
}

/// Invalid addresses, which are refused without PostgreSQL.
struct AddressTests {
    @Test(arguments: [
        "", "postgres", "mysql://localhost/x", "host=localhost password=secret", "postgres://u:secret@[::1/x",
        "postgres://u:sec%zzret@localhost/x", "postgres://u:secret@localhost/x?nonsense=1",
        "postgres://u:secret@localhost:port/x", "postgres://u:secret@localhost/x?sslmode=secret",
        "postgres://u:secret@localhost/x?password=secret&=1", "postgres://u:sec/ret@localhost/x",
    ])
    func anInvalidAddressIsRefusedWithoutRevealingItsPassword(address: String) {
        do throws(JournalOpeningError) {
            _ = try PostgreSQLJournal(address)
            Issue.record("The address was accepted.")
        } catch {
            #expect(!error.description.contains("sec"))
            #expect(error.badAddress != nil)
        }
    }

    @Test func anAddressWithoutAServerIsUnreachable() {
        do throws(JournalOpeningError) {
            _ = try PostgreSQLJournal("postgres://u:secret@127.0.0.1:1/x")
            Issue.record("The journal was opened.")
        } catch {
            #expect(error.unreachable?.contains("127.0.0.1") == true)
            #expect(!error.description.contains("secret"))
        }
    }
}

/// Opening a journal in PostgreSQL: the tables that it creates, and the databases that it refuses.
@Suite(.enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint)))
struct OpeningTests {
    /// The reason why a journal cannot be opened.
    private func reason(_ address: String, access: PostgreSQLJournal.Access = .readWrite) -> JournalOpeningError? {
        do throws(JournalOpeningError) {
            try PostgreSQLJournal(address, access: access).close()
            return nil
        } catch {
            return error
        }
    }

    @Test func aWrongPasswordIsNotShown() async throws {
        let cluster = try await PostgreSQLCluster.shared
        #expect(reason(cluster.address(user: "locked", password: "secret")) != nil)
        let message = try #require(reason(cluster.address(user: "locked", password: "wr0ng"))?.unreachable)
        #expect(message.contains("authentication"))
        #expect(!message.contains("wr0ng"))
    }

    @Test func aMissingDatabaseOrSchemaIsReported() async throws {
        let cluster = try await PostgreSQLCluster.shared
        let database = try #require(reason(cluster.address().replacing("/postgres", with: "/nowhere"))?.unreachable)
        #expect(database.contains("nowhere"))
        let schema = try #require(reason(cluster.address(schema: "nowhere"))?.unusable)
        #expect(schema.contains("search_path"))
    }

    @Test func aNewerSchemaIsRefused() async throws {
        let cluster = try await PostgreSQLCluster.shared
        try await withJournal { journal, address in
            try await cluster.execute("UPDATE coordinate_schema SET version = 99", at: address)
            for access in [PostgreSQLJournal.Access.readWrite, .readOnly] {
                let message = try #require(reason(address, access: access)?.unusable)
                #expect(message.contains("newer"))
            }
        }
    }

    @Test func serversThatStartAtOnceCreateTheTablesOnce() async throws {
        let cluster = try await PostgreSQLCluster.shared
        let address = try await cluster.makeAddress()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let journal = try PostgreSQLJournal(address)
                    defer { journal.close() }
                    _ = try await journal.add()
                }
            }
            try await group.waitForAll()
        }
        #expect(
            try await cluster.execute("SELECT count(*), max(version) FROM coordinate_schema", at: address) == ["1|1"])
        #expect(try await cluster.execute("SELECT count(*) FROM coordinate_sessions", at: address) == ["8"])
    }

    @Test func aToolNeedsAnExistingJournal() async throws {
        let address = try await PostgreSQLCluster.shared.makeAddress()
        #expect(reason(address, access: .readOnly)?.unusable != nil)
        #expect(
            try await PostgreSQLCluster.shared.execute(
                "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()", at: address) == ["0"])
    }

    @Test func aHostThatDoesNotRespondIsSkipped() async throws {
        let silent = try SilentServer()
        let cluster = try await PostgreSQLCluster.shared
        let schema = try await cluster.makeAddress().split(separator: "%3D").last.map(String.init)
        let address = cluster.address(schema: schema, hosts: "127.0.0.1:\(silent.port),\(cluster.host)")
        let journal = try PostgreSQLJournal(address)
        defer { journal.close() }
        _ = try await journal.add()
    }

    /// Whatever the server's default is, an acknowledged entry is on its disk.
    @Test func commitsAreDurable() async throws {
        let cluster = try await PostgreSQLCluster.shared
        for (setting, expected) in [("off", "on"), ("local", "local"), ("remote_apply", "remote_apply")] {
            let address = try await cluster.makeAddress() + "%20-csynchronous_commit%3D\(setting)"
            let settings = try ConnectionSettings(address, isWriting: true)
            var connection = try Connection.open(settings, preparing: [], until: .now + .seconds(10))
            try connection.send([Statement("SELECT current_setting('synchronous_commit')")()])
            let rows = try connection.receive(until: .now + .seconds(10))
            #expect(rows[0].text(0, 0) == expected)
        }
    }
}

extension JournalOpeningError {
    fileprivate var badAddress: String? { if case .badAddress(let message) = self { message } else { nil } }
    fileprivate var unreachable: String? { if case .unreachable(let message) = self { message } else { nil } }
    fileprivate var unusable: String? { if case .unusable(let message) = self { message } else { nil } }
}
