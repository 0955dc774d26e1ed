import CoordinateSessions
import CoordinateTesting
import MicroHTTPD
import RawClient
import Testing

@testable import CoordinateServer

/// The API's description: it is well-formed and complete.
struct OpenAPITests {
    let description: OpenAPIDescription

    init() throws {
        description = try .shipped()
    }

    @Test func theDescriptionIsServed() async throws {
        try await withRacing(configuration: .make(publicFolder: PublicFilesTests.shipped)) { server in
            let answer = try await server.client().get("/openapi.json?generic")
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type") == "application/json")
            let served = try answer.json
            #expect(served == description.root)
            #expect(served["openapi"]?.string?.hasPrefix("3.1.") == true)
        }
    }

    // MARK: Well-formed

    @Test func everyComponentIsUsed() {
        #expect(description.components.subtracting(description.references) == [])
    }

    @Test func generatorsCanReadIt() {
        description.checkSchemas()
    }

    @Test func everySecuritySchemeIsDefinedAndUsed() {
        let named = description.values.filter { $0.name == "security" }
            .flatMap { $0.value.array.flatMap { $0.object.keys } }
        let defined = description.root["components"]["securitySchemes"]?.object.keys ?? [:].keys
        #expect(Set(named) == Set(defined))
    }

    @Test func operationNamesAreUnique() {
        let names = description.operations.map { description[$0]["operationId"]?.string }
        #expect(!names.contains(nil))
        #expect(Set(names).count == names.count)
    }

    @Test func everyTagIsDescribed() {
        let used = description.operations.flatMap { description[$0]["tags"]?.array ?? [] }
        let declared = description.root["tags"]?.array.compactMap { $0["name"] } ?? []
        #expect(Set(used) == Set(declared))
    }

    @Test func everyPlaceholderIsAParameter() {
        for operation in description.operations {
            let needsID = operation.path.contains("{id}")
            #expect(description.describes(parameter: "id", of: operation) == needsID, "\(operation)")
        }
    }

    @Test func everyBodyForbidsOtherFields() {
        // JSON-RPC does not say whether a message may have other fields.
        for operation in description.operations where operation.path != "/mcp" {
            let body = description.resolved(description[operation]["requestBody"])
            guard let described = body["content"]["application/json"]["schema"] else { continue }
            #expect(description.resolved(described)["additionalProperties"] == .bool(false), "\(operation)")
        }
    }

    // MARK: Complete

    @Test func theEndpointsAndTheDescriptionAgree() {
        let endpoints = Endpoint.all.map { "\($0.method) /\($0.parts.joined(separator: "/"))" }
        let files = ["GET /", "GET /openapi.json"]
        #expect(Set(description.operations.map(\.description)) == Set(endpoints + files))
    }

    @Test func onlyTheProbesTheLoginAndTheFilesNeedNoKey() throws {
        let known = try Endpoint.all.filter { endpoint throws in
            // A page leads to the login instead.
            try endpoint.right(HTTPRequest(endpoint.method, "/")).isEmpty || endpoint.isPage && endpoint.method == .get
        }.map { "/\($0.parts.joined(separator: "/"))" }
        let open = description.operations.filter { description[$0]["security"] == [] }.map(\.path)
        #expect(Set(open) == Set(known + ["/", "/openapi.json"]))
        #expect(Set(known) == ["/livez", "/readyz", "/login", "/app", "/app/{path}", "/app/login"])
    }

    @Test func everyKindOfProblemIsDescribed() {
        #expect(description.problems == Set(Problem.Kind.allCases.map(\.rawValue)))
        for kind in Problem.Kind.allCases {
            let type = JSON.string("/problems/\(kind.rawValue)")
            let schema = description.schemas.first { $0["properties"]["type"]["const"] == type }
            #expect(schema["properties"]["status"]["const"] == .int(kind.status.code), "\(kind)")
        }
    }

    /// Generators of clients read no reference beside other keywords, so each problem repeats the fields of all.
    @Test func everyProblemHasTheFieldsOfAllProblems() {
        let common = description.root["components"]["schemas"]["Problem"]
        let required = Set(common["required"]?.array ?? [])
        #expect(required == ["type", "title", "status", "detail"])
        let problems = description.schemas.filter {
            $0["properties"]["type"]["const"]?.string?.hasPrefix("/problems/") == true
        }
        #expect(problems.count == Problem.Kind.allCases.count)
        for problem in problems {
            #expect(required.isSubset(of: problem["required"]?.array ?? []), "\(problem)")
            for field in ["title", "detail"] {
                #expect(problem["properties"][field] == common["properties"][field], "\(problem)")
            }
        }
    }

    @Test func theCatchUpLimitIsDescribed() {
        let parameter = description.root[reference: "#/components/parameters/LastEventID"]
        #expect(parameter["description"]?.string?.contains("\(StreamFollower.longestCatchUp) versions") == true)
    }

    @Test func otherMethodsAreRefusedWithTheDescribedOnes() async throws {
        try await withRacing(configuration: .make(publicFolder: PublicFilesTests.shipped), over: .socket) { server in
            let check = DescriptionCheck(description)
            for path in description.paths {
                let described = description.methods(of: path)
                let allowed = Set(described).union(described.contains("GET") ? ["HEAD"] : [])
                let operation = OpenAPIDescription.Operation(try #require(described.first), path)
                for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "get", "BREW"]
                where !allowed.contains(method) {
                    let request = DescribedRequest(operation).with(method: method, headers: ["Content-Length": "0"])
                    let answer = try check.sendHead(of: request, to: server.url, status: 405)
                    let allow = answer.headers["allow"]?.split(separator: ", ").map { String($0) } ?? []
                    #expect(Set(allow) == allowed, "\(method) \(path)")
                }
            }
            #expect(try await server.client().metric("coordinate_sessions") == 0)
        }
    }

    private static let unreadable = [
        ("GET /\(String(repeating: "x", count: 9_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
        ("GET /route HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 16_500))\r\n\r\n", 431),
        ("POST /events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n", 413),
    ]

    @Test(.racing(over: .socket), arguments: unreadable)
    func tooLargeRequestsAreAnsweredAsDescribed(request: String, status: Int) async throws {
        let answer = try RawClient.answer(of: server.url, to: request)
        #expect(answer.status == status)
        let sent = SentAnswer(status: answer.status, head: answer.head, body: answer.body)
        #expect(sent.problem?.status == status)
        #expect(sent.headers["connection"] == "close")
    }
}
