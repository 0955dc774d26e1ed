/// A writer of JSON with line breaks and two spaces per level, from JSON without them. The content stays the same.
package struct JSONIndenter {
    private var output: [UInt8] = []
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// Whether a bracket was opened, and nothing was in it so far.
    private var isOpen = false

    /// Returns a document, which must be valid JSON, with line breaks.
    package static func indent(_ json: [UInt8]) -> [UInt8] {
        var indenter = JSONIndenter()
        indenter.output.reserveCapacity(json.count * 2)
        for byte in json {
            if indenter.isInString { indenter.appendInString(byte) } else { indenter.appendOutside(byte) }
        }
        return indenter.output
    }

    private mutating func appendInString(_ byte: UInt8) {
        output.append(byte)
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
        }
    }

    private mutating func appendOutside(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
            return
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if isOpen { isOpen = false } else { startLine() }
            output.append(byte)
        default:
            if isOpen {
                isOpen = false
                startLine()
            }
            output.append(byte)
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                isOpen = true
            case UInt8(ascii: ","): startLine()
            case UInt8(ascii: ":"): output.append(UInt8(ascii: " "))
            case UInt8(ascii: "\""): isInString = true
            default: break
            }
        }
    }

    private mutating func startLine() {
        output.append(UInt8(ascii: "\n"))
        for _ in 0..<depth { output.append(contentsOf: [UInt8(ascii: " "), UInt8(ascii: " ")]) }
    }
}
