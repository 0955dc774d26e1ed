package import MicroHTTPD

extension HTTPField.Name {
    package static let baggage = HTTPField.Name("baggage")!
    package static let link = HTTPField.Name("Link")!
    package static let mcpMethod = HTTPField.Name("Mcp-Method")!
    package static let mcpName = HTTPField.Name("Mcp-Name")!
    package static let mcpProtocolVersion = HTTPField.Name("MCP-Protocol-Version")!
    package static let purpose = HTTPField.Name("Purpose")!
    package static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    package static let refresh = HTTPField.Name("Refresh")!
    package static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
    package static let serverTiming = HTTPField.Name("Server-Timing")!
    package static let xAccelBuffering = HTTPField.Name("X-Accel-Buffering")!
    package static let xMoz = HTTPField.Name("X-Moz")!
    package static let xPurpose = HTTPField.Name("X-Purpose")!
}
