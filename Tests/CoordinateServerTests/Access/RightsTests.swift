import CoordinateSessions
import CoordinateTesting
import Foundation
import MicroHTTPD
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The table of who may do what, in the documentation, in the code, and on a server.
struct RightsTests {
    private static let key = "s3cret/key="

    /// A row of the table: a kind of request, and what each kind of requester gets.
    struct Row: Sendable, CustomTestStringConvertible {
        let method: String
        let pattern: String
        /// What the right depends on: a query item, or a form of the resource.
        let condition: String
        let cells: [String]

        var testDescription: String { "\(method) \(pattern) \(condition)" }

        static let columns = [
            "operator", "client `full`", "client `app`", "client `none`", "token `use`", "token `read`",
        ]

        /// The rows of the table in the documentation.
        static let all: [Row] = {
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
            let page = root.appending(path: "Sources/CoordinateServer/CoordinateServer.docc/Access.md")
            guard let text = try? String(contentsOf: page, encoding: .utf8) else { return [] }
            return text.split(separator: "\n").compactMap { line in
                let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                guard cells.count == 7, let request = cells[0].firstMatch(of: #/^`([A-Z]+) (/[^`]*)`(.*)$/#) else {
                    return nil
                }
                let condition = request.3.trimmingCharacters(in: .whitespaces)
                return Row(
                    method: String(request.1), pattern: String(request.2), condition: condition,
                    cells: Array(cells.dropFirst()))
            }
        }()

        var request: (query: String, headers: HTTPFields) {
            switch condition {
            case let text where text.contains("version="): ("?version=0", [:])
            case let text where text.contains("stream"): ("", [.accept: "text/event-stream"])
            case let text where text.contains("journal") && method == "POST":
                ("", [.contentType: "application/x-ndjson"])
            case let text where text.contains("token="): ("?token=x", [:])
            default: ("", [:])
            }
        }
    }

    @Test func theTableNamesEveryEndpoint() throws {
        let names = Set(Row.all.map { "\($0.method) \($0.pattern)" })
        let endpoints = Set(Endpoint.all.map { "\($0.method.rawValue) \($0.pattern)" })
        #expect(endpoints.subtracting(names) == [])
        #expect(names.subtracting(endpoints).allSatisfy { $0.contains("/x/") || $0 == "GET /" })
    }

    @Test(arguments: Row.all) func theTableIsThatOfTheCode(row: Row) throws {
        guard
            let endpoint = Endpoint.all.first(where: { $0.method.rawValue == row.method && $0.pattern == row.pattern })
        else { return }
        let (query, headers) = row.request
        let right = try endpoint.right(HTTPRequest(endpoint.method, "/" + query, headers: headers))
        let session = SessionID.random()
        func token(_ scope: SessionToken.Scope) -> Requester {
            .token(SessionToken(session: session, reference: .random(), scope: scope, end: 0))
        }
        let requesters: [Requester] = [
            .operator, .client(.full), .client(.app), .client(.none), token(.use), token(.read),
        ]
        for (index, requester) in requesters.enumerated() {
            let isLogin = endpoint.isPage && endpoint.method == .get && index == 3 && !right.isEmpty
            let expected = requester.may(right) ? "yes" : isLogin ? "login" : "no"
            #expect(row.cells[index] == expected, "\(Row.columns[index])")
        }
    }

    /// Each row on a server: a refusal is a 401 or a 403 before the body is read, and all else is let in.
    @Test(arguments: [ClientAccess.full, .app, .none]) func theServerDecidesByTheTable(clients: ClientAccess)
        async throws
    {
        var configuration = ServerConfiguration.make(apiKey: Self.key)
        configuration.clients = clients
        try await withRacing(configuration: configuration) { server async throws in
            let keeper = ["Authorization": "Bearer \(Self.key)"]
            func makeSession() async throws -> String {
                try #require(
                    try await server.client(headers: keeper).post("/sessions", json: [:]).json["id"]?.string)
            }
            for row in Row.all where !row.pattern.hasPrefix("/x/") && row.condition.isEmpty {
                for (column, scope) in [
                    (0, nil), (1 + (ClientAccess.allCases.firstIndex(of: clients) ?? 0), nil), (4, "use"), (5, "read"),
                ] as [(Int, String?)] {
                    let id = try await makeSession()
                    var headers = column == 0 ? keeper : ["Session": id]
                    if column == 0 { headers["Session"] = id }
                    if let scope {
                        let answer = try await server.client(headers: keeper).post(
                            "/sessions/\(id)/tokens", json: ["scope": .string(scope)])
                        headers["Authorization"] = "Bearer \(try #require(try answer.json["token"]?.string))"
                    }
                    headers["Content-Type"] = row.pattern.hasPrefix("/app") ? "text/plain" : "application/json"
                    let path = row.pattern.replacing("{id}", with: id).replacing("{path}", with: "splash")
                        .replacing("{key}", with: "some").replacing("{reference}", with: id)
                    let body = row.method == "GET" || row.method == "DELETE" ? nil : Array("?".utf8)
                    let status = try await server.client(headers: headers).request(row.method, path, body: body).status
                    switch row.cells[column] {
                    case "yes": #expect(status != 401 && status != 403, "\(row.testDescription) \(Row.columns[column])")
                    case "login":
                        #expect(
                            status == (path == "/app/login" ? 200 : 303),
                            "\(row.testDescription) \(Row.columns[column])")
                    default:
                        let expected = column == 3 ? 401 : 403
                        #expect(status == expected, "\(row.testDescription) \(Row.columns[column])")
                    }
                }
            }
        }
    }
}
