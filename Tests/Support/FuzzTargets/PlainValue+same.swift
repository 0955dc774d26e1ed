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
}
