internal import MicroHTTPD

extension API {
    /// Who asks, as far as it can be known: the address at the other side of the connection, or the one that a trusted
    /// proxy there tells. It costs nothing before it is asked for.
    func client(of request: borrowing HTTPRequest) -> IPAddress {
        proxies.client(of: request)
    }
}
