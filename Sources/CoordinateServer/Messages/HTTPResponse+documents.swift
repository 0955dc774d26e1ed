internal import CoordinateSessions
package import MicroHTTPD

extension HTTPResponse {
    /// A document. Only the client itself may cache it, and must revalidate it each time. If `isSecret`, it must not be
    /// cached at all.
    package static func json(
        _ body: HTTPBody, status: Int = 200, type: String = MediaType.json,
        headers: HTTPFields = [:], isSecret: Bool = false
    ) -> HTTPResponse {
        HTTPResponse(status: status, headers: documentHeaders(type, isSecret) + headers, body: body)
    }

    /// A document that is sent while it is being created.
    static func json(
        _ stream: HTTPStream, type: String, headers: HTTPFields, isSecret: Bool
    ) -> HTTPResponse {
        HTTPResponse(status: 200, headers: documentHeaders(type, isSecret) + headers, stream: stream)
    }

    /// A document for a client that wants a minimal response.
    static func minimal(_ body: HTTPBody) -> HTTPResponse {
        HTTPResponse(status: 200, headers: minimalJSON, body: body)
    }

    /// The field that announces a minimal response (RFC 7240, section 3).
    static let minimalReturn: HTTPFields = [.preferenceApplied: "return=minimal"]

    private static func documentHeaders(_ type: String, _ isSecret: Bool) -> HTTPFields {
        if type == MediaType.json { return isSecret ? secretJSON : ownJSON }
        return [
            .contentType: HTTPField.Value(type), .cacheControl: isSecret ? "no-store" : "private, no-cache",
            .xContentTypeOptions: "nosniff",
        ]
    }

    private static let ownJSON: HTTPFields = [
        .contentType: HTTPField.Value(MediaType.json), .cacheControl: "private, no-cache",
        .xContentTypeOptions: "nosniff",
    ]
    private static let minimalJSON = ownJSON + minimalReturn
    private static let secretJSON: HTTPFields = [
        .contentType: HTTPField.Value(MediaType.json), .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
    ]

    /// A session's route.
    static func route(
        _ body: HTTPBody, tag: String, headers: HTTPFields = [:], isSecret: Bool = false
    ) -> HTTPResponse {
        .json(body, headers: [.eTag: HTTPField.Value(tag)] + headers, isSecret: isSecret)
    }

    /// A live stream of a session's events. It must not be cached, nor buffered by a proxy.
    static func events(_ stream: HTTPStream, headers: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                .contentType: HTTPField.Value(MediaType.events), .cacheControl: "no-store",
                "X-Accel-Buffering": "no", .xContentTypeOptions: "nosniff",
            ] + headers,
            stream: stream)
    }

    /// The response if the client has the current content (RFC 9110, section 15.4.5).
    ///
    /// - Parameter body: The content, of which only the length is sent; empty if that is unknown.
    static func notModified(_ body: HTTPBody = HTTPBody([]), tag: String) -> HTTPResponse {
        HTTPResponse(
            status: 304,
            headers: [.eTag: HTTPField.Value(tag), .cacheControl: "private, no-cache"], body: body)
    }
}
