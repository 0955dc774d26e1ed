import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client that forgets its cookies, so that each request is that of a new client.
struct Web {
    var key: String?

    func get(_ address: String) async throws -> (status: Int, body: String) {
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
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
