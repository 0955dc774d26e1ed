internal import JSON
internal import MicroHTTPD

extension HTTPRequest {
    /// Whether JSON is indented in the answer: the query contains `pretty`, or a browser shows the answer to a person.
    var wantsIndentedJSON: Bool {
        if hasQuery, queryValue("pretty") != nil { return true }
        return isNavigation
    }

    /// Whether a browser shows the answer to a person: it prefers HTML to anything, and does not ask for JSON.
    private var isNavigation: Bool {
        withHeader(.accept) { types in
            guard types.count >= 9, let html = types.firstIndex(of: "text/html") else { return false }
            return types.firstIndex(of: "*/*").map { $0 > html } ?? true
                && types.firstIndex(of: "application/json") == nil
        } ?? false
    }
}

extension Span<UInt8> {
    /// The position of the first occurrence of a text; `nil` if it does not occur.
    fileprivate func firstIndex(of text: StaticString) -> Int? {
        let text = Array(text.description.utf8)
        guard count >= text.count else { return nil }
        return (0...(count - text.count)).first { start in text.indices.allSatisfy { self[start + $0] == text[$0] } }
    }
}

extension HTTPResponse {
    /// The same response with its JSON indented, and without a tag. Responses without JSON stay the same.
    var indented: HTTPResponse {
        let type = headers[.contentType]
        guard !isStream, type == MediaType.json || type == Problem.mediaType, body.count > 0 else { return self }
        return HTTPResponse(
            status: status, headers: HTTPFields(headers.filter { $0.name != .eTag }),
            body: JSONIndenter.indent(body.bytes), closesConnection: closesConnection)
    }
}
