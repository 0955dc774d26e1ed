internal import MicroHTTPD

extension HTTPField.Name {
    static let baggage = HTTPField.Name("baggage")!
    static let link = HTTPField.Name("Link")!
    static let mcpMethod = HTTPField.Name("Mcp-Method")!
    static let mcpName = HTTPField.Name("Mcp-Name")!
    static let mcpProtocolVersion = HTTPField.Name("MCP-Protocol-Version")!
    static let purpose = HTTPField.Name("Purpose")!
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    static let refresh = HTTPField.Name("Refresh")!
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
    static let serverTiming = HTTPField.Name("Server-Timing")!
    static let xAccelBuffering = HTTPField.Name("X-Accel-Buffering")!
    static let xMoz = HTTPField.Name("X-Moz")!
    static let xPurpose = HTTPField.Name("X-Purpose")!
}
