/// Decodes `%XX` escapes, which libmicrohttpd is told to leave alone: its decoded strings end at the first `%00`.
enum PercentEncoding {
    /// The bytes behind an escaped text; nil where an escape is malformed or stands for NUL.
    static func decodedBytes(_ text: some Sequence<UInt8>, plusIsSpace: Bool = false) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.underestimatedCount)
        var bytes = text.makeIterator()
        while let byte = bytes.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard
                    let high = bytes.next().flatMap(HTTPCharacters.hexadecimalValue),
                    let low = bytes.next().flatMap(HTTPCharacters.hexadecimalValue),
                    high | low != 0
                else { return nil }
                decoded.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace:
                decoded.append(UInt8(ascii: " "))
            case 0:
                return nil
            default:
                decoded.append(byte)
            }
        }
        return decoded
    }
}
