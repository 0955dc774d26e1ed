internal import Coordinate
internal import MicroHTTPD

extension API {
    /// A request's body as JSON.
    func json(of request: borrowing HTTPRequest) throws(Problem) -> PlainValue {
        let body = request.body
        guard body.isEmpty || request.isJSON else { throw .unsupportedMediaType }
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(body)
        } catch {
            throw .malformedJSON(error)
        }
    }
}

extension HTTPRequest {
    /// Whether the body is said to be JSON, in UTF-8 (RFC 8259, section 8.1).
    fileprivate var isJSON: Bool {
        guard let type = header("Content-Type") else { return false }
        if type == "application/json" { return true }
        let parts = type.lowercased().split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
        guard parts.first == "application/json" else { return false }
        return parts.dropFirst().allSatisfy { !$0.hasPrefix("charset=") || $0 == "charset=utf-8" }
    }

    /// Whether the client asks for a behaviour with the header `Prefer` (RFC 7240): `return=minimal`.
    borrowing func prefers(_ preference: String, _ value: String) -> Bool {
        for header in headers(named: "Prefer") {
            for item in header.lowercased().split(separator: ",") {
                let words = item.split(separator: ";")[0].split(separator: "=").map {
                    $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
                }
                if words == [preference, value] { return true }
            }
        }
        return false
    }
}
