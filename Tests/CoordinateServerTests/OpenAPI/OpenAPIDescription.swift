import CoordinateTesting
import Foundation

/// The API's description for clients: `public/openapi.json`.
struct OpenAPIDescription {
    let root: JSON

    /// The file in the repository.
    static func shipped() throws -> OpenAPIDescription {
        let file = URL(filePath: PublicFilesTests.shipped).appending(path: "openapi.json")
        return OpenAPIDescription(root: try JSONDecoder().decode(JSON.self, from: Data(contentsOf: file)))
    }

    /// One method on one path.
    struct Operation: Hashable, CustomStringConvertible {
        let method: String
        /// The path, with `{id}` in it.
        let path: String

        init(_ method: String, _ path: String) {
            self.method = method
            self.path = path
        }

        var description: String { "\(method) \(path)" }
    }

    var operations: [Operation] {
        paths.flatMap { path in methods(of: path).map { Operation($0, path) } }
    }

    /// The operations for programs. The others answer with pages, for people.
    var programOperations: [Operation] { operations.filter { self[$0]["tags"] != ["Pages"] } }

    var paths: [String] { (root["paths"]?.object.keys).map { $0.sorted() } ?? [] }

    func methods(of path: String) -> [String] {
        let methods: Set = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]
        let fields = root["paths"][path]?.object.keys.filter(methods.contains) ?? []
        return fields.map { $0.uppercased() }.sorted()
    }

    /// The operation's part of the file.
    subscript(operation: Operation) -> JSON? {
        root["paths"][operation.path][operation.method.lowercased()]
    }

    /// The value, or the target of its reference.
    func resolved(_ json: JSON?) -> JSON? {
        root[reference: json["$ref"]?.string] ?? json
    }

    // MARK: Parts of the file

    /// Every value in the file, with its name.
    var values: [(name: String, value: JSON)] { Self.values(in: root, named: "") }

    private static func values(in json: JSON, named name: String) -> [(name: String, value: JSON)] {
        let fields = json.object.flatMap { values(in: $0.value, named: $0.key) }
        return [(name, json)] + fields + json.array.flatMap { values(in: $0, named: "") }
    }

    var references: Set<String> { Set(values.compactMap { $0.name == "$ref" ? $0.value.string : nil }) }

    /// The valid targets of `$ref`. Security schemes are named without one.
    var components: Set<String> {
        let kinds = root["components"]?.object.filter { $0.key != "securitySchemes" } ?? [:]
        return Set(kinds.flatMap { kind, members in members.object.keys.map { "#/components/\(kind)/\($0)" } })
    }

    /// Every schema that is not part of another one.
    var schemas: [JSON] {
        let named = root["components"]["schemas"]?.object.map(\.value) ?? []
        return named + values.compactMap { $0.name == "schema" ? $0.value : nil }
    }

    /// The names of all problems, as in `/problems/unknown-event`.
    var problems: Set<String> {
        let types = schemas.compactMap { $0["properties"]["type"]["const"]?.string }
        return Set(types.filter { $0.hasPrefix("/problems/") }.map { String($0.dropFirst("/problems/".count)) })
    }
}
