/// An error of a ``SessionClient``.
///
/// Its description begins with the file and the line of the call that failed:
///
/// ```
/// CartTests.swift:12: No action on /cart has the title "Pay". There are: "Check out", "Back".
/// ```
public protocol ClientError: Error, CustomStringConvertible {
    /// The call that failed.
    var callSite: CallSite { get }
    /// What happened, and what to do.
    var message: String { get }
}

extension ClientError {
    public var description: String { "\(callSite): \(message)" }
}

/// A place in source code that calls a client.
public struct CallSite: Hashable, Sendable, CustomStringConvertible {
    /// The module and the name of the file: `ShopTests/CartTests.swift`.
    public let fileID: String
    public let filePath: String
    public let line: Int
    public let column: Int

    /// Creates the place of the call of this initializer.
    public init(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }

    /// `CartTests.swift:12`
    public var description: String {
        "\(fileID.split(separator: "/").last ?? "unknown file"):\(line)"
    }
}
