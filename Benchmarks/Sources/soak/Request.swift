import CoordinateClient

/// A request that can be sent again.
struct Request: CustomStringConvertible {
    var method = "GET"
    let path: String
    var headers: [String: String] = [:]
    var body: [UInt8]?

    static func get(_ path: String, headers: [String: String] = [:]) -> Request {
        Request(path: path, headers: headers)
    }

    static func send(_ json: JSON, _ method: String = "POST", to path: String, headers: [String: String] = [:])
        -> Request
    {
        let type = ["Content-Type": "application/json"]
        return Request(method: method, path: path, headers: headers.merging(type) { $1 }, body: json.encoded)
    }

    var description: String {
        "\(method) \(path) \(headers) \(String(decoding: body ?? [], as: UTF8.self).prefix(200))"
    }
}
