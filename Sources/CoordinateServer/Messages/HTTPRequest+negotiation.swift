internal import Coordinate
internal import JSON
package import MicroHTTPD

extension HTTPRequest {
    /// The body as JSON.
    borrowing func json() throws(Problem) -> PlainValue {
        let body = body
        guard body.isEmpty || isOfType(MediaType.json) else { throw .unsupportedMediaType }
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(body)
        } catch {
            throw .malformedJSON(error)
        }
    }
}

extension PlainValue {
    /// Checks that a body has no other fields than these. No field that a client sends is silently ignored.
    func checkFields(_ known: String...) throws(Problem) { try checkFields(known) }

    func checkFields(_ known: [String]) throws(Problem) {
        guard case .object(let fields) = self else { return }
        for field in fields where !known.contains(field.name) {
            throw .unknownField(at: [field.name], nearest: field.name.nearest(among: known))
        }
    }
}

/// The media types of bodies.
package enum MediaType {
    package static let json = "application/json"
    /// One JSON value per line.
    static let lines = "application/x-ndjson"
    /// Server-sent events.
    static let events = "text/event-stream"
    /// The forms in which a session's events can be read; the first is the default.
    static let ofEvents = [json, lines, events]
}

extension HTTPRequest {
    /// Whether the `Content-Type` names a type, in UTF-8 (RFC 8259, section 8.1).
    package borrowing func isOfType(_ expected: String) -> Bool {
        let isPlain = withHeader(.contentType) { $0.isEqual(to: expected.utf8.span) }
        if isPlain == true { return true }
        guard isPlain != nil, let type = header(.contentType) else { return false }
        let parts = type.lowercased().utf8.parts(between: ";")
        guard parts.first == expected else { return false }
        return parts.dropFirst().allSatisfy { !$0.utf8.starts(with: "charset=".utf8) || $0 == "charset=utf-8" }
    }

    /// The type that the client prefers among some; the first if it names no preference (RFC 9110, section 12.5.1).
    borrowing func preferredType(of types: [String]) -> String {
        guard hasHeader(.accept) else { return types[0] }
        var best = (type: types[0], quality: -1.0, precision: -1)
        let ranges = headers(named: .accept).flatMap { $0.lowercased().utf8.split(separator: UInt8(ascii: ",")) }
            .map(MediaRange.init)
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

    /// Whether the client accepts content that is compressed by gzip (RFC 9110, section 12.5.3).
    borrowing func acceptsGzip() -> Bool {
        guard hasHeader(.acceptEncoding) else { return false }
        let codings = headers(named: .acceptEncoding)
            .flatMap { $0.lowercased().utf8.split(separator: UInt8(ascii: ",")) }.map(MediaRange.init)
        let named = codings.first { ["gzip", "x-gzip"].contains($0.type) } ?? codings.first { $0.type == "*" }
        return named.map { $0.quality > 0 } ?? false
    }

    /// Whether the client wants a minimal response (RFC 7240, section 4.2).
    borrowing func prefersMinimal() -> Bool {
        // Compares the usual form first. Parsing the header would cost a tenth of the whole request.
        withHeader(.prefer) { $0.isEqual(to: "return=minimal".utf8.span) } ?? false || preference("return") == "minimal"
    }

    /// The value of a preference in the header `Prefer`: `10` of `wait=10`. The first of repeated ones counts (RFC
    /// 7240, section 2).
    borrowing func preference(_ name: String) -> String? {
        guard hasHeader(.prefer) else { return nil }
        for header in headers(named: .prefer) {
            for item in header.lowercased().utf8.split(separator: UInt8(ascii: ",")) {
                let words = item.prefix { $0 != UInt8(ascii: ";") }.parts(between: "=")
                if words.first == name { return words.count == 2 ? words[1] : "" }
            }
        }
        return nil
    }
}

/// A range of types, or an encoding, that a client accepts, with its weight: `text/*;q=0.5`.
private struct MediaRange {
    let type: String
    /// From 0 to 1; 0 if the client does not want the type, or if the weight is malformed.
    let quality: Double

    init(_ text: Substring.UTF8View) {
        let parts = text.parts(between: ";")
        type = parts.first ?? ""
        let weight = parts.dropFirst().first { $0.utf8.starts(with: "q=".utf8) }
            .flatMap { Double(Substring($0.utf8.dropFirst(2))) }
        quality = weight.map { (0...1).contains($0) ? $0 : 0 } ?? 1
    }

    /// The range's precision: 0 for any type, 1 for all subtypes of a type, 2 for one type.
    var precision: Int { type == "*/*" ? 0 : type.hasSuffix("/*") ? 1 : 2 }

    func includes(_ type: String) -> Bool {
        precision == 2 ? self.type == type : precision == 0 || type.hasPrefix(self.type.dropLast())
    }
}

// Headers are split by bytes, because a combining character may follow a separator.
extension BidirectionalCollection<UInt8> {
    /// The parts without spaces. An empty part counts: `;a/b` begins with one.
    fileprivate func parts(between separator: Unicode.Scalar) -> [String] {
        split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false).map(\.withoutSpace)
    }

    fileprivate var withoutSpace: String {
        let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\"")]
        // Other characters than ASCII mean nothing here, and can be slow to compare.
        let letters = lazy.filter { !blanks.contains($0) }.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }
        return String(decoding: letters, as: UTF8.self)
    }
}
