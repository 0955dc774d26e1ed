/// Why a server does not start, in words for the person who started it.
public enum ServerError: Error, Equatable, CustomStringConvertible {
    /// A setting, or a file it names, does not fit.
    case configuration(String)
    /// The address is taken, or not to be had.
    case unavailable(String)

    public var description: String {
        switch self {
        case .configuration(let message), .unavailable(let message): message
        }
    }
}
