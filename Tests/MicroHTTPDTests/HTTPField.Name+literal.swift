public import MicroHTTPD

// swift-format-ignore: AvoidRetroactiveConformances
extension HTTPField.Name: @retroactive ExpressibleByStringLiteral {
    public init(stringLiteral text: String) {
        self = HTTPField.Name(text)!
    }
}
