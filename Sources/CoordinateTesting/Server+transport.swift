internal import CoordinateClient
internal import CoordinateServer
internal import MicroHTTPD

extension Server {
    /// Answers a client in the same process.
    func answer(_ request: ClientRequest) async throws -> ServerAnswer {
        var fields: HTTPFields =
            request.headers.keys.contains { $0.lowercased() == "host" } ? [:] : [.host: "localhost"]
        for (name, value) in request.headers {
            guard let name = HTTPField.Name(rawValue: name), let value = HTTPField.Value(rawValue: value) else {
                throw request.failure(.malformed)
            }
            fields.append(name, value)
        }
        let response: HTTPResponse?
        do throws(HTTPRefusal) {
            let body = request.body ?? []
            response = await self.response(
                to: try HTTPRequest(HTTPMethod(rawValue: request.method), request.path, headers: fields, body: body))
        } catch {
            response = self.response(to: error)
        }
        guard let response else { throw request.failure(.disconnected("the server closed the connection")) }
        return ServerAnswer(response, to: request)
    }
}

extension ServerAnswer {
    fileprivate init(_ response: HTTPResponse, to request: ClientRequest) {
        var headers = ["content-length": "\(response.body.count)"]
        for field in response.headers { headers[field.name.rawValue.lowercased()] = field.value.rawValue }
        self.init(
            status: response.status, headers: headers, body: request.method == "HEAD" ? [] : response.body.bytes,
            callSite: request.callSite)
    }
}
