internal import Coordinate
internal import JSON

extension PlainValue {
    /// The text that stands for the value in a field of a form. A list or an object is written as JSON.
    var entryText: String {
        switch self {
        case .null: ""
        case .bool(let value): value ? "true" : "false"
        case .int(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): value
        case .array, .object: json
        }
    }

    /// The value as JSON.
    var json: String {
        var writer = JSONWriter<[UInt8]>()
        writer.plain(self)
        return String(decoding: writer.written(), as: UTF8.self)
    }
}
