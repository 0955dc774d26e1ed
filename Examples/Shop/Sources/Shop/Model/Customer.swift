import Coordinate

/// A customer with an address and with orders, newest first.
struct Customer: PlainObject, Equatable {
    var address: Address
    var orders: [Order]

    /// The order with a number; `nil` if it is not the customer's.
    subscript(order number: Int) -> Order? {
        get { orders.first { $0.number == number } }
        set { orders = orders.map { $0.number == number ? newValue ?? $0 : $0 } }
    }

    static let declaration = ObjectDeclaration(Customer.init, .field("address", \.address), .field("orders", \.orders))
}

struct Address: PlainObject, Equatable {
    var name = ""
    var street = ""
    var zip = ""
    var country = Country.ch

    var line: String { "\(street), \(country.rawValue.uppercased())-\(zip)" }

    /// The errors in it, by field.
    var errors: [String: Text] {
        let isZip = zip.count == country.zipDigits && zip.allSatisfy { ("0"..."9").contains($0) }
        return [
            "name": name.isEmpty ? .enterName : nil, "street": street.isEmpty ? .enterStreet : nil,
            "zip": isZip ? nil : .digits(country.zipDigits),
        ].compactMapValues(\.self)
    }

    static let declaration = ObjectDeclaration(
        Address.init, .field("name", \.name), .field("street", \.street), .field("zip", \.zip),
        .field("country", \.country))
}

enum Country: String, CaseIterable, PlainValueConvertible {
    case ch, de
    var zipDigits: Int { self == .ch ? 4 : 5 }
    var name: Text { self == .ch ? .switzerland : .germany }
}
