internal import CoordinateClient
internal import CoordinateServer
internal import MicroHTTPD

extension Server {
    /// Answers a client in the same process. Reads a stream to its end.
    func answer(_ request: ClientRequest) async throws -> ServerAnswer {
        let response = try await response(to: request)
        guard request.method != "HEAD", response.status != 304 else {
            return ServerAnswer(response, body: [], to: request)
        }
        guard let stream = response.stream else {
            return ServerAnswer(response, body: response.body.bytes, to: request)
        }
        var body: [UInt8] = []
        do {
            for try await piece in stream.pieces() { body += piece }
        } catch {
            throw request.failure(.disconnected("the server closed the connection before the end of the answer"))
        }
        try Task.checkCancellation()
        return ServerAnswer(response, body: body, to: request)
    }

    /// Opens a stream for a client in the same process.
    func stream(_ request: ClientRequest) async throws -> LocalStream {
        let response = try await response(to: request)
        return LocalStream(
            answer: ServerAnswer(response, body: response.body.bytes, to: request), pieces: response.stream?.pieces())
    }

    private func response(to request: ClientRequest) async throws -> HTTPResponse {
        var fields: HTTPFields =
            request.headers.keys.contains { $0.lowercased() == "host" } ? [:] : [.hostField: "localhost"]
        for (name, value) in request.headers {
            guard let name = HTTPField.Name(name), value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw request.failure(.malformed)
            }
            fields.append(HTTPField(name: name, value: value))
        }
        guard let method = HTTPRequest.Method(rawValue: request.method) else { throw request.failure(.malformed) }
        let response: HTTPResponse?
        do throws(HTTPRefusal) {
            let body = request.body ?? []
            response = await self.response(
                to: try HTTPRequest(method, request.path, headers: fields, body: body))
        } catch {
            response = self.response(to: error)
        }
        guard let response else { throw request.failure(.disconnected("the server closed the connection")) }
        return response
    }
}

extension ServerAnswer {
    fileprivate init(_ response: HTTPResponse, body: [UInt8], to request: ClientRequest) {
        var headers = response.isStream ? [:] : ["content-length": "\(response.body.count)"]
        for field in response.headers { headers[field.name.canonicalName] = field.value }
        self.init(status: response.status.code, headers: headers, body: body, callSite: request.callSite)
    }
}
