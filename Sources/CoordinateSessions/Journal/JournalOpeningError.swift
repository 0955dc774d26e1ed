/// The reason why a journal cannot be opened, in words for the person who starts the program.
public enum JournalOpeningError: Error, Equatable, CustomStringConvertible {
    /// Its address is none.
    case badAddress(String)
    /// It cannot be reached.
    case unreachable(String)
    /// It is there, and cannot be used: damaged, written by a newer program, or in use.
    case unusable(String)

    public var description: String {
        switch self {
        case .badAddress(let message), .unreachable(let message), .unusable(let message): message
        }
    }
}
