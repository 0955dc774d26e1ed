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

    // MARK: Well-formed

    @Test func everyComponentIsUsed() {
        #expect(description.components.subtracting(description.references) == [])
    }

    @Test func generatorsCanReadIt() {
        description.checkSchemas()
    }

    @Test func everyNameIsDefinedAndUsedOnce() {
        let schemes = description.values.filter { $0.name == "security" }
            .flatMap { $0.value.array.flatMap { $0.object.keys } }
        #expect(Set(schemes) == Set(description.root["components"]["securitySchemes"]?.object.keys ?? [:].keys))
        let tags = description.operations.flatMap { description[$0]["tags"]?.array ?? [] }
        #expect(Set(tags) == Set(description.root["tags"]?.array.compactMap { $0["name"] } ?? []))
        let names = description.operations.map { description[$0]["operationId"]?.string }
        #expect(!names.contains(nil))
        #expect(Set(names).count == names.count)
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

    @Test(.racing(configuration: .make(publicFolder: PublicFilesTests.shipped), over: .socket))
    func otherMethodsAreRefusedWithTheDescribedOnes() async throws {
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
