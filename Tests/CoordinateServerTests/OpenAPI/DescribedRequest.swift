import CoordinateTesting

/// A request to an operation of the description: the example given there, or something else.
struct DescribedRequest {
    let operation: OpenAPIDescription.Operation
    /// The operation's method, or another one to try.
    var method: String
    /// The value for `{id}`, `{key}` and `{reference}`.
    var id = ""
    /// The value for `{path}`.
    var placeholder = ""
    /// The query with its question mark.
    var query = ""
    var headers: [String: String] = [:]
    var body: [UInt8]?

    /// A request without a body.
    init(_ operation: OpenAPIDescription.Operation, id: String = "") {
        self.operation = operation
        method = operation.method
        self.id = id
    }

    var path: String {
        ["{id}", "{key}", "{reference}"].reduce(operation.path) { $0.replacing($1, with: id) }
            .replacing("{path}", with: placeholder) + query
    }

    /// Returns the same request with some changes.
    func with(
        method: String? = nil, id: String? = nil, query: String? = nil, headers: [String: String] = [:],
        body: String? = nil
    ) -> DescribedRequest {
        var request = self
        request.method = method ?? self.method
        request.id = id ?? self.id
        request.query = query ?? self.query
        request.headers.merge(headers) { $1 }
        if let body { request.body = Array(body.utf8) }
        return request
    }
}

extension OpenAPIDescription {
    /// The request of an example in the description.
    func example(_ operation: Operation, id: String = "") -> DescribedRequest {
        var request = DescribedRequest(operation, id: id).with(query: requiredQuery(of: operation))
        if let example = resolved(self[operation]["requestBody"])["content"]["application/json"]["example"] {
            request.headers = ["Content-Type": "application/json"]
            request.body = example.encoded
        } else if operation.method == "POST" {
            request.body = []
        }
        return request
    }

    /// The example values of an operation's required query items, with the question mark.
    ///
    /// - Parameter item: An item to leave out.
    func requiredQuery(of operation: Operation, without item: String? = nil) -> String {
        let items = parameters(of: operation).compactMap { parameter -> String? in
            guard parameter["in"] == "query", parameter["required"] == true, let name = parameter["name"]?.string,
                name != item
            else { return nil }
            return "\(name)=\(parameter["example"]?.string ?? "\(parameter["example"]?.int ?? 0)")"
        }
        return items.isEmpty ? "" : "?" + items.joined(separator: "&")
    }

    /// Whether the description has a status for an operation.
    func describes(_ status: Int, of operation: Operation) -> Bool {
        self[operation]["responses"]["\(status)"] != nil
    }

    /// The parameters of an operation, including those of its path.
    func parameters(of operation: Operation) -> [JSON] {
        let own = self[operation]["parameters"]?.array ?? []
        let shared = root["paths"][operation.path]["parameters"]?.array ?? []
        return (shared + own).compactMap { resolved($0) }
    }

    /// Whether an operation has a parameter with this name.
    func describes(parameter name: String, of operation: Operation) -> Bool {
        parameters(of: operation).contains { $0["name"]?.string == name }
    }
}
