internal import CoordinateSessions
package import MicroHTTPD

extension HTTPResponse {
    /// A document. Only the client itself may cache it, and must revalidate it each time. If `isSecret`, it must not be
    /// cached at all.
    package static func json(
        _ body: HTTPBody, status: Status = .ok, type: String = MediaType.json,
        headers: HTTPFields = [:], isSecret: Bool = false
    ) -> HTTPResponse {
        HTTPResponse(status: status, headers: documentHeaders(type, isSecret) + headers, body: body)
    }

    /// A document that is sent while it is being created.
    static func json(
        _ stream: HTTPStream, type: String, headers: HTTPFields, isSecret: Bool
    ) -> HTTPResponse {
        HTTPResponse(status: .ok, headers: documentHeaders(type, isSecret) + headers, stream: stream)
    }

    /// A document for a client that wants a minimal response.
    static func minimal(_ body: HTTPBody) -> HTTPResponse {
        HTTPResponse(status: .ok, headers: minimalJSON, body: body)
    }

    /// The field that announces a minimal response (RFC 7240, section 3).
    static let minimalReturn: HTTPFields = [.preferenceApplied: "return=minimal"]

    private static func documentHeaders(_ type: String, _ isSecret: Bool) -> HTTPFields {
        if type == MediaType.json { return isSecret ? secretJSON : ownJSON }
        return [
            .contentType: type, .cacheControl: isSecret ? "no-store" : "private, no-cache",
            .xContentTypeOptions: "nosniff",
        ]
    }

    private static let ownJSON: HTTPFields = [
        .contentType: MediaType.json, .cacheControl: "private, no-cache",
        .xContentTypeOptions: "nosniff",
    ]
    private static let minimalJSON = ownJSON + minimalReturn
    private static let secretJSON: HTTPFields = [
        .contentType: MediaType.json, .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
    ]

    /// A session's route.
    static func route(
        _ body: HTTPBody, tag: String, headers: HTTPFields = [:], isSecret: Bool = false
    ) -> HTTPResponse {
        .json(body, headers: [.eTag: tag] + headers, isSecret: isSecret)
    }

    /// A live stream of a session's events. It must not be cached, nor buffered by a proxy.
    static func events(_ stream: HTTPStream, headers: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(
            status: .ok,
            headers: [
                .contentType: MediaType.events, .cacheControl: "no-store",
                .xAccelBuffering: "no", .xContentTypeOptions: "nosniff",
            ] + headers,
            stream: stream)
    }

    /// The response if the client has the current content (RFC 9110, section 15.4.5).
    ///
    /// - Parameter body: The content, of which only the length is sent; empty if that is unknown.
    static func notModified(_ body: HTTPBody = HTTPBody([]), tag: String) -> HTTPResponse {
        HTTPResponse(
            status: .notModified,
            headers: [.eTag: tag, .cacheControl: "private, no-cache"], body: body)
    }
}
