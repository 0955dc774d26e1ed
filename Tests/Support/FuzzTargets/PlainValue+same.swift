internal import Coordinate

extension PlainValue {
    /// Whether both are equal in every bit: texts in their bytes, numbers in their signs.
    func isSame(as other: PlainValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.int(let one), .int(let other)): one == other
        case (.double(let one), .double(let other)): one.bitPattern == other.bitPattern
        case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
        case (.array(let one), .array(let other)): one.elementsEqual(other) { $0.isSame(as: $1) }
        case (.object(let one), .object(let other)):
            one.elementsEqual(other) { $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.isSame(as: $1.value) }
        default: false
        }
    }

    /// Creates a value of any kind, nested a few levels at most.
    init(_ input: inout InputReader, depth: Int = 0) {
        switch input.number(below: depth < 4 ? 8 : 6) {
        case 0: self = .null
        case 1: self = .bool(false)
        case 2: self = .bool(true)
        case 3: self = .int(input.int())
        case 4:
            // A whole number is the same in every spelling: 3.0 is written as 3.
            let double = Double(bitPattern: input.bits())
            let isWhole = double.magnitude < 0x1p53 && double == double.rounded()
            self = .double(!double.isFinite || isWhole ? 0.5 : double)
        case 5: self = .string(input.text())
        case 6: self = .array(input.list(atMost: 4) { PlainValue(&$0, depth: depth + 1) })
        default:
            self = .object(Self.fields(&input, depth: depth + 1))
        }
    }
    /// Returns fields with different names, since no object has two with the same name.
    static func fields(_ input: inout InputReader, depth: Int = 1) -> [PlainField] {
        (0..<input.number(below: 5)).map { PlainField("\($0)\(input.text())", PlainValue(&input, depth: depth)) }
    }
}
