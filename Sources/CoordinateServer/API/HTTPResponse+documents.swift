internal import MicroHTTPD

extension HTTPResponse {
    /// A document. It is the client's own, and to be asked for again each time, unless `isSecret`: then it is not to be
    /// stored at all.
    static func json(
        _ body: HTTPBody, status: Int = 200, type: String = MediaType.json,
        headers: [(name: String, value: String)] = [], isSecret: Bool = false
    ) -> HTTPResponse {
        HTTPResponse(status: status, headers: documentHeaders(type, isSecret) + headers, body: body)
    }

    /// A document that is sent as it is made.
    static func json(
        _ stream: HTTPStream, type: String, headers: [(name: String, value: String)], isSecret: Bool
    ) -> HTTPResponse {
        HTTPResponse(status: 200, headers: documentHeaders(type, isSecret) + headers, stream: stream)
    }

    private static func documentHeaders(_ type: String, _ isSecret: Bool) -> [(name: String, value: String)] {
        [
            ("Content-Type", type), ("Cache-Control", isSecret ? "no-store" : "private, no-cache"),
            ("X-Content-Type-Options", "nosniff"),
        ]
    }

    /// A session's route.
    static func route(
        _ body: HTTPBody, tag: String, headers: [(name: String, value: String)] = [], isSecret: Bool = false
    ) -> HTTPResponse {
        .json(body, headers: [("ETag", tag)] + headers, isSecret: isSecret)
    }

    /// What happens in a session, as it happens. It is nothing to be stored, nor to be held back on the way.
    static func events(_ stream: HTTPStream, headers: [(name: String, value: String)] = []) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", MediaType.events), ("Cache-Control", "no-store"), ("Vary", "Accept"),
                ("X-Accel-Buffering", "no"), ("X-Content-Type-Options", "nosniff"),
            ] + headers,
            stream: stream)
    }

    /// What the client has is still so (RFC 9110, section 15.4.5).
    ///
    /// libmicrohttpd adds `Content-Length: 0`, which should be the route's or not be there. Better so: to a client that
    /// believes the route's, and there are some, the answer never ends.
    static func notModified(tag: String) -> HTTPResponse {
        HTTPResponse(status: 304, headers: [("ETag", tag), ("Cache-Control", "private, no-cache")])
    }
}
