import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client that forgets its cookies, so that each request is that of a new client.
struct Web {
    var key: String?

    func get(_ address: String) async throws -> (status: Int, body: String) {
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        return try await send(URLRequest(url: url))
    }

    func post(_ address: String, _ body: [UInt8], _ type: String) async throws -> (status: Int, body: String) {
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(body)
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        return try await send(request)
    }

    private func send(_ request: URLRequest) async throws -> (status: Int, body: String) {
        var request = request
        if let key { request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization") }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        let (content, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return (response.statusCode, String(decoding: content, as: UTF8.self))
    }
}
