internal import Coordinate
internal import MicroHTTPD

/// An address on this server: a path, with or without a query. No other text can lead a browser elsewhere.
struct LocalAddress {
    /// The address, percent-encoded where a header needs that.
    let text: String

    /// Reads an address; `nil` if it could lead to another server, or is not a path.
    init?(_ text: String) {
        guard text.isLocalAddress else { return nil }
        self.text = PageAddress.encoded(text) { $0 < 0x80 }
    }

    /// The target of a request: its path, with or without a query.
    static func target(of request: borrowing HTTPRequest) -> String {
        request.path + (request.query.map { "?" + $0 } ?? "")
    }

    /// The address that a request was sent to.
    init(ofTarget target: String) {
        text = PageAddress.encoded(target) { $0 < 0x80 && $0 > 0x20 && $0 != 0x7F }
    }
}
