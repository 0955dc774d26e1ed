import CoordinateTesting
import RawClient

extension TestServer {
    /// The answer to a request with exactly these header lines and the body that they describe.
    func answer(to line: String, _ headers: String..., body: String = "") throws -> RawClient.Answer {
        try answer(to: line, headers, body: body)
    }

    func answer(to line: String, _ headers: [String], body: String = "") throws -> RawClient.Answer {
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        let lines = (["\(line) HTTP/1.1"] + headers + length).map { "\($0)\r\n" }.joined()
        return try RawClient.answer(of: url, to: "\(lines)\r\n\(body)")
    }
}
