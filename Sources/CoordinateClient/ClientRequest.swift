internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A request as it is sent, with the client's headers and cookies.
package struct ClientRequest: Sendable {
    /// The address of the server.
    let url: String
    package let method: String
    package let path: String
    package let headers: [String: String]
    package let body: [UInt8]?
    package let callSite: CallSite

    /// An error about this request.
    package func failure(_ reason: RequestFailure.Reason) -> RequestFailure {
        RequestFailure(request: "\(method) \(url)\(path)", reason: reason, callSite: callSite)
    }

    /// - Parameter timeout: The longest silence of the server.
    func urlRequest(timeout: Duration) throws -> URLRequest {
        guard let url = URL(string: url + path) else { throw failure(.malformed) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body.map { Data($0) }
        request.timeoutInterval = max(1, Double(timeout.components.seconds))
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }
}
