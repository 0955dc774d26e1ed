internal import Coordinate
internal import JSON
internal import MicroHTTPD

extension API {
    /// A request's body as JSON.
    func json(of request: borrowing HTTPRequest) throws(Problem) -> PlainValue {
        let body = request.body
        guard body.isEmpty || request.isOfType(MediaType.json) else { throw .unsupportedMediaType }
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(body)
        } catch {
            throw .malformedJSON(error)
        }
    }
}

extension PlainValue {
    /// Checks that a body has no other fields than these: nothing a client says is passed over in silence.
    func checkFields(_ known: String...) throws(Problem) {
        guard case .object(let fields) = self else { return }
        for field in fields where !known.contains(field.name) {
            throw .unknownField(at: [field.name], nearest: field.name.nearest(among: known))
        }
    }
}

/// What bodies are made of.
enum MediaType {
    static let json = "application/json"
    /// One JSON value a line.
    static let lines = "application/x-ndjson"
    /// Server-sent events.
    static let events = "text/event-stream"
}

extension HTTPRequest {
    /// Whether the body is said to be of a type, in UTF-8 (RFC 8259, section 8.1).
    borrowing func isOfType(_ expected: String) -> Bool {
        let isPlain = withHeader(.contentType) { $0.isEqual(to: expected.utf8.span) }
        if isPlain == true { return true }
        guard isPlain != nil, let type = header(.contentType) else { return false }
        let parts = type.lowercased().split(separator: ";").map(\.withoutSpace)
        guard parts.first == expected else { return false }
        return parts.dropFirst().allSatisfy { !$0.hasPrefix("charset=") || $0 == "charset=utf-8" }
    }

    /// Which of some types the client would rather have; the first where it does not say (RFC 9110, section 12.5.1).
    borrowing func preferredType(of types: [String]) -> String {
        guard hasHeader(.accept) else { return types[0] }
        var best = (type: types[0], quality: -1.0, precision: -1)
        let ranges = headers(named: .accept).flatMap { $0.lowercased().split(separator: ",") }.map(MediaRange.init)
        for type in types {
            guard let range = ranges.filter({ $0.includes(type) }).max(by: { $0.precision < $1.precision }) else {
                continue
            }
            if range.quality > 0, (range.quality, range.precision) > (best.quality, best.precision) {
                best = (type, range.quality, range.precision)
            }
        }
        return best.type
    }

    /// Whether the client wants no more than necessary (RFC 7240, section 4.2).
    borrowing func prefersMinimal() -> Bool {
        // As it is sent most often; taken apart, it costs a tenth of the whole request.
        withHeader(.prefer) { $0.isEqual(to: "return=minimal".utf8.span) } ?? false || preference("return") == "minimal"
    }

    /// What the client asks for with the header `Prefer`: `10` of `wait=10`. Of two alike the first counts (RFC 7240,
    /// section 2).
    borrowing func preference(_ name: String) -> String? {
        guard hasHeader(.prefer) else { return nil }
        for header in headers(named: .prefer) {
            for item in header.lowercased().split(separator: ",") {
                let words = item.prefix { $0 != ";" }.split(separator: "=").map(\.withoutSpace)
                if words.first == name { return words.count == 2 ? words[1] : "" }
            }
        }
        return nil
    }
}

/// Types that a client accepts, and how gladly: `text/*;q=0.5`.
private struct MediaRange {
    private let type: String
    /// From 0 to 1; 0 where the client does not want it, or it is no number like that.
    let quality: Double

    init(_ text: Substring) {
        let parts = text.split(separator: ";").map(\.withoutSpace)
        type = parts.first ?? ""
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
        quality = weight.map { (0...1).contains($0) ? $0 : 0 } ?? 1
    }

    /// How much it says: nothing, half of the type, all of it.
    var precision: Int { type == "*/*" ? 0 : type.hasSuffix("/*") ? 1 : 2 }

    func includes(_ type: String) -> Bool {
        precision == 2 ? self.type == type : precision == 0 || type.hasPrefix(self.type.dropLast())
    }
}

extension Substring {
    fileprivate var withoutSpace: String {
        String(filter { $0 != " " && $0 != "\t" && $0 != "\"" })
    }
}
