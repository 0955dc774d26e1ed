/// The reason why a server could not start, and what to do about it.
public enum HTTPServerError: Error, Hashable {
    case addressInUse(host: String, port: UInt16)
    case addressNotAvailable(host: String)
    case badAddress(host: String)
    case permissionDenied(host: String, port: UInt16)
    /// The system grants this process too few open files even for a few clients.
    case notEnoughFiles(granted: Int)
    /// `start()` was called a second time.
    case alreadyStarted
    /// A system call failed in a way that has no case of its own.
    case system(call: String, reason: String)
    /// libmicrohttpd did not start; the log has its own message.
    case daemon
    /// libmicrohttpd does not behave as required: this module does not work with its version.
    case library(version: String, reason: String)
}

extension HTTPServerError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .addressInUse(let host, let port):
            "Port \(port) on \(host) is in use by another process. Stop that process, or choose another port (0 for any free one)."
        case .addressNotAvailable(let host):
            "\(host) is not an address of this machine. Use 127.0.0.1 for this machine only, or 0.0.0.0 for every network."
        case .badAddress(let host):
            "\"\(host)\" is not an address to listen on. Use an IPv4 or IPv6 address, or localhost."
        case .permissionDenied(let host, let port):
            "This user may not listen on port \(port) of \(host). Choose a port above 1023."
        case .notEnoughFiles(let granted):
            "The system grants this process only \(granted) open files. Raise the limit (ulimit -n)."
        case .alreadyStarted:
            "The server was already started. Create a new one."
        case .system(let call, let reason):
            "The system refused \(call): \(reason)."
        case .daemon:
            "libmicrohttpd did not start. See the log for the reason."
        case .library(let version, let reason):
            "This program does not work with libmicrohttpd \(version): \(reason). Install version 0.9.75 or 1.0.1."
        }
    }
}
