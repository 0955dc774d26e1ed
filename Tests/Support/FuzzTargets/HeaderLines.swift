internal import MicroHTTPD

/// The lines of a header, as text: `Accept: text/*;q=0.5`.
struct HeaderLines {
    let fields: HTTPFields

    /// Leaves out lines that the parser has already refused.
    init(_ text: String) {
        fields = HTTPFields(
            text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                    let name = String(validating: line[..<colon], as: UTF8.self).flatMap({ HTTPField.Name($0) }),
                    let value = String(validating: line[colon...].dropFirst().trimmed, as: UTF8.self),
                    HTTPField.isValidValue(value)
                else { return nil }
                return HTTPField(name: name, value: value)
            })
    }

    /// Returns the first line of a name, if there is one.
    func first(_ name: HTTPField.Name) -> HTTPFields {
        HTTPFields(fields.filter { $0.name == name }.prefix(1).map(\.self))
    }

    /// Returns the lines of some names.
    func only(_ names: HTTPField.Name...) -> HTTPFields {
        HTTPFields(fields.filter { names.contains($0.name) })
    }
}

extension HTTPFields {
    /// Returns the bytes of all values of a name, without the surrounding blanks.
    func bytes(of name: HTTPField.Name) -> [[UInt8]] {
        filter { $0.name == name }.map { Array($0.value.utf8).trimmed }
    }
}
