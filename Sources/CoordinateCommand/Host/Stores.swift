internal import ArgumentParser
internal import CoordinateSessions
internal import Foundation

/// The kinds of journals that the program supports, memory first.
struct Stores: Sendable {
    private let providers: [JournalProvider]

    /// The products with stores of this library that a program may link, by the schemes of their addresses.
    private static let products = [
        "sqlite:": "CoordinateSQLite", "postgres://": "CoordinatePostgreSQL",
        "postgresql://": "CoordinatePostgreSQL",
    ]

    /// - Parameter providers: The kinds besides memory.
    init(_ providers: [JournalProvider]) {
        self.providers = [.memory] + providers
    }

    // MARK: Addresses

    /// An address that one of the stores accepts.
    struct Address {
        fileprivate let provider: JournalProvider
        fileprivate let text: String
        /// The advice on which stores can be read.
        fileprivate let hint: String

        /// Opens the journal for a server.
        func open() throws(JournalOpeningError) -> any Journal {
            try provider.open(text)
        }

        /// Opens the journal for reading. A journal in memory has nothing to read.
        func openForReading() throws(JournalOpeningError) -> any Journal {
            guard provider.isReadable else {
                throw .badAddress("A journal in \(provider.form) is always empty. \(hint)")
            }
            return try provider.openForReading(text)
        }

        /// Opens a journal that exists, to change it without a server.
        func openExisting() throws(JournalOpeningError) -> any Journal {
            // A journal that is opened for a server is created if necessary.
            try openForReading().close()
            return try open()
        }
    }

    /// The address of a journal, with its store.
    func address(_ text: String) throws(JournalOpeningError) -> Address {
        if let provider = providers.first(where: { $0.accepts(text) }) {
            let hint =
                readable.isEmpty
                ? "This program has no other journal." : "Name a store: \(Self.list(readable))."
            return Address(provider: provider, text: text, hint: hint)
        }
        // The address may contain a password.
        let scheme = text.prefix { $0 != ":" }
        if let product = Self.product(with: text), !providers.contains(where: { $0.claims(text) }) {
            throw .badAddress(
                "This program has no journal \"\(scheme)\": it is built without \(product). It has: \(forms).")
        }
        if let store = store(inFile: text) { throw .badAddress("\(text) is a file. Did you mean \(store)?") }
        throw .badAddress("The journal \"\(scheme)\" is unknown. It is one of: \(forms).")
    }

    /// Refuses an option that is not an address.
    func validate(_ option: String) throws {
        do throws(JournalOpeningError) {
            _ = try address(option)
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// Whether a text is the address of a store, not a file.
    func isStore(_ text: String) -> Bool {
        providers.contains { $0.claims(text) } || Self.product(with: text) != nil
    }

    /// The address of the store in a file; `nil` if the file is no SQLite database (https://sqlite.org/fileformat.html).
    func store(inFile path: String) -> String? {
        let magic = Data("SQLite format 3\0".utf8)
        guard providers.contains(where: { $0.claims("sqlite:") }), let file = FileHandle(forReadingAtPath: path),
            (try? file.read(upToCount: magic.count)) == magic
        else { return nil }
        return "sqlite:\(path)"
    }

    /// Moves an id that begins with `-`, as one in 64 does, behind `--`, so that it is not read as an option; and the
    /// store that follows it.
    func withIDLast(_ arguments: [String]) -> [String] {
        guard ["export", "erase"].contains(arguments.first), !arguments.contains("--"),
            let index = arguments.firstIndex(where: { $0.hasPrefix("-") && SessionID($0) != nil })
        else { return arguments }
        var others = arguments
        var moved = ["--", others.remove(at: index)]
        if arguments.first == "erase", let place = others[index...].firstIndex(where: isStore) {
            moved.append(others.remove(at: place))
        }
        return others + moved
    }

    private static func product(with address: String) -> String? {
        products.first { address.hasPrefix($0.key) }?.value
    }

    // MARK: Texts

    /// The forms of all addresses, as a list in words.
    var forms: String { Self.list(providers) }

    /// The address forms of readable journals, for help texts; empty if there are none.
    private var examples: String { readable.map(\.example).joined(separator: ", ") }

    /// The help text of an argument that is a store.
    ///
    /// - Parameter remark: A remark at its end.
    func storeHelp(_ remark: String = "") -> String {
        readable.isEmpty ? "The store. This program has no readable store." : "The store: \(examples)\(remark)."
    }

    /// The help text of arguments that are journals.
    var journalsHelp: String {
        readable.isEmpty
            ? "Exported journals, or folders (every .ndjson file in them)."
            : "Exported journals, folders (every .ndjson file in them), or stores: \(examples)."
    }

    private var readable: [JournalProvider] { providers.filter(\.isReadable) }

    private static func list(_ providers: [JournalProvider]) -> String {
        let forms = providers.map(\.form)
        guard let last = forms.last, forms.count > 1 else { return forms.joined() }
        return forms.dropLast().joined(separator: ", ") + (forms.count > 2 ? ", or " : " or ") + last
    }
}

extension JournalProvider {
    fileprivate var example: String {
        if case .uri(let schemes, _) = addresses { "\(schemes.first ?? "")://…" } else { form }
    }
}
