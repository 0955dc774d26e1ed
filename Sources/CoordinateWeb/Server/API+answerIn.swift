internal import CoordinateServer
internal import CoordinateSessions
internal import MicroHTTPD

// Temporary: as `API.answerIn` in CoordinateServer will be.
extension API {
    func answerIn(
        _ named: SessionID?, for request: borrowing HTTPRequest,
        _ body: @escaping @Sendable (Session, _ introduction: HTTPFields) async throws -> HTTPResponse
    ) -> HTTPAnswer {
        let client = client(of: request)
        guard let named else {
            let cookies = cookies(of: request)
            return answer {
                let session = try await self.sessions.begin(for: client).session
                do {
                    return try await body(session, cookies.introduction(of: session))
                } catch {
                    try? await self.sessions.end(session, for: client)
                    throw error
                }
            }
        }
        return answer { try await body(self.sessions.find(named, for: client), [:]) }
    }
}
