internal import CoordinateSessions
internal import MicroHTTPD

extension HTTPResponse {
    /// A document. Only the client itself may keep it, and has to ask each time whether it is current, unless
    /// `isSecret`: then nobody may keep it at all.
    static func json(
        _ body: HTTPBody, status: Int = 200, type: String = MediaType.json,
        headers: HTTPFields = [:], isSecret: Bool = false
    ) -> HTTPResponse {
        HTTPResponse(status: status, headers: documentHeaders(type, isSecret) + headers, body: body)
    }

    /// A document that is sent as it is made.
    static func json(
        _ stream: HTTPStream, type: String, headers: HTTPFields, isSecret: Bool
    ) -> HTTPResponse {
        HTTPResponse(status: 200, headers: documentHeaders(type, isSecret) + headers, stream: stream)
    }

    /// A document for a client that wants no more than necessary.
    static func minimal(_ body: HTTPBody) -> HTTPResponse {
        HTTPResponse(status: 200, headers: minimalJSON, body: body)
    }

    /// The field that says so (RFC 7240, section 3).
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

    /// A live stream of a session's events, which nobody may keep, and no proxy may hold back.
    static func events(_ stream: HTTPStream, headers: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                .contentType: HTTPField.Value(MediaType.events), .cacheControl: "no-store", .vary: "Accept",
                "X-Accel-Buffering": "no", .xContentTypeOptions: "nosniff",
            ] + headers,
            stream: stream)
    }

    /// The response where the client has the current content (RFC 9110, section 15.4.5).
    ///
    /// libmicrohttpd adds `Content-Length: 0`, where the standard wants the route's length or none. That is better than
    /// the route's: some clients believe it, and wait for a body that never comes.
    static func notModified(tag: String) -> HTTPResponse {
        HTTPResponse(status: 304, headers: [.eTag: HTTPField.Value(tag), .cacheControl: "private, no-cache"])
    }
}
