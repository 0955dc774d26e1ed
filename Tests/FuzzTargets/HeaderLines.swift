internal import MicroHTTPD

/// The lines of a header, as text: `Accept: text/*;q=0.5`.
struct HeaderLines {
    let fields: HTTPFields

    /// Leaves out what no server would pass on: the parser has refused it before.
    init(_ text: String) {
        fields = HTTPFields(
            text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                    let name = String(line[..<colon]).flatMap(HTTPField.Name.init),
                    let value = String(line[colon...].dropFirst()).flatMap(HTTPField.Value.init)
                else { return nil }
                return HTTPField(name, value)
            })
    }

    /// The first of a name, where there is one.
    func first(_ name: HTTPField.Name) -> HTTPFields {
        HTTPFields(fields.filter { $0.name == name }.prefix(1).map(\.self))
    }

    /// Those of some names.
    func only(_ names: HTTPField.Name...) -> HTTPFields {
        HTTPFields(fields.filter { names.contains($0.name) })
    }
}

extension HTTPFields {
    /// The bytes of all values of a name, without the blanks around them.
    func bytes(of name: HTTPField.Name) -> [[UInt8]] {
        filter { $0.name == name }.map { Array($0.value.rawValue.utf8).trimmed }
    }
}
