internal import JSON
internal import MicroHTTPD
internal import Synchronization

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

/// Indents a document that is sent piece by piece, in order.
final class IndentedPieces: Sendable {
    private let indenter = Mutex(JSONIndenter())

    func next(_ piece: HTTPBody) -> HTTPBody {
        indenter.withLock { indenter in
            indenter.append(piece.bytes)
            return HTTPBody(indenter.finish())
        }
    }
}

extension HTTPResponse {
    /// The same response with its JSON indented, and with a tag of its own. Responses without JSON stay the same.
    var indented: HTTPResponse {
        let isUnchanged = status == 304
        let type = headers[.contentType]?.rawValue
        guard !isStream, isUnchanged || type == MediaType.json || type == Problem.mediaType else { return self }
        var fields = HTTPFields(
            headers.map { field in
                guard field.name == .eTag else { return field }
                return HTTPField(.eTag, HTTPField.Value(EntityTags.indented(field.value.rawValue)))
            })
        if fields[.vary] == nil { fields.append(.vary, "Accept") }
        guard !isUnchanged, body.count > 0 else {
            // The length of the indented content is not known.
            return HTTPResponse(status: status, headers: fields, closesConnection: closesConnection)
        }
        var indenter = JSONIndenter()
        indenter.append(body.bytes)
        return HTTPResponse(
            status: status, headers: fields, body: indenter.finish(),
            closesConnection: closesConnection)
    }
}
