/// A kind of journal in which a program can keep its sessions, which opens journals by their addresses.
///
/// A program's `main` lists its kinds, and links their products: ``memory`` is always available, `.sqlite` comes with
/// CoordinateSQLite, `.postgreSQL` with CoordinatePostgreSQL. A kind of your own:
///
/// ```swift
/// extension JournalProvider {
///     static let papyrus = JournalProvider(.path(scheme: "papyrus")) { path throws(JournalOpeningError) in
///         try PapyrusJournal(path: path)
///     }
/// }
/// ```
public struct JournalProvider: Sendable {
    /// The form of a journal's addresses.
    public enum Addresses: Sendable, Equatable {
        /// One word: `memory`.
        case word(String)
        /// A scheme and a path, `sqlite:PATH`. The journal is opened with the path alone.
        case path(scheme: String)
        /// URIs of some schemes, the usual one first. The journal is opened with the whole URI. The form is an example
        /// for help texts: `postgres://USER@HOST/DATABASE`.
        case uri(schemes: [String], form: String)
    }

    /// Opens a journal with the part of the address that ``Addresses`` describes.
    public typealias Opening = @Sendable (String) throws(JournalOpeningError) -> any Journal

    public let addresses: Addresses
    private let open: Opening
    private let openForReading: Opening?

    /// - Parameters:
    ///   - open: Opens a journal for a server.
    ///   - openForReading: Opens a journal that may be in use, only to read it; `nil` if there is nothing to read,
    ///     since the journal ends with its process.
    public init(_ addresses: Addresses, open: @escaping Opening, openForReading: Opening? = nil) {
        self.addresses = addresses
        self.open = open
        self.openForReading = openForReading
    }

    /// Whether such a journal can be read while no server has it open.
    public var isReadable: Bool { openForReading != nil }

    /// The form of the addresses for help texts: `sqlite:PATH`.
    public var form: String {
        switch addresses {
        case .word(let word): word
        case .path(let scheme): "\(scheme):PATH"
        case .uri(_, let form): form
        }
    }

    /// Whether a text begins like these addresses, valid or not. A word has no such beginning.
    public func claims(_ text: String) -> Bool {
        switch addresses {
        case .word: false
        case .path(let scheme): text.hasPrefix("\(scheme):")
        case .uri(let schemes, _): schemes.contains { text.hasPrefix("\($0)://") }
        }
    }

    /// Whether a text can be one of these addresses.
    public func accepts(_ address: String) -> Bool {
        switch addresses {
        case .word(let word): address == word
        case .path: claims(address) && !path(of: address).isEmpty
        case .uri: claims(address)
        }
    }

    /// Opens a journal for a server.
    ///
    /// - Parameter address: An address that this kind ``accepts(_:)``.
    public func open(_ address: String) throws(JournalOpeningError) -> any Journal {
        try open(opened(by: address))
    }

    /// Opens a journal that may be in use, only to read it.
    ///
    /// - Parameter address: An address that this kind ``accepts(_:)``.
    public func openForReading(_ address: String) throws(JournalOpeningError) -> any Journal {
        guard let openForReading else { throw .badAddress("A journal in \(form) has no contents to read.") }
        return try openForReading(opened(by: address))
    }

    private func opened(by address: String) throws(JournalOpeningError) -> String {
        // The address is left out of the error, since it may contain a password.
        guard accepts(address) else { throw .badAddress("Not a journal address. The form is \(form).") }
        if case .path = addresses { return path(of: address) }
        return address
    }

    /// The part after the first colon.
    private func path(of address: String) -> String {
        String(address.drop { $0 != ":" }.dropFirst())
    }
}

/// The reason why a journal cannot be opened, in words for the person who starts the program.
public enum JournalOpeningError: Error, Equatable, CustomStringConvertible {
    /// The address is malformed or of an unknown kind.
    case badAddress(String)
    /// The journal cannot be reached.
    case unreachable(String)
    /// The journal exists but cannot be used: it is damaged, was written by a newer program, or is in use.
    case unusable(String)

    public var description: String {
        switch self {
        case .badAddress(let message), .unreachable(let message), .unusable(let message): message
        }
    }
}
