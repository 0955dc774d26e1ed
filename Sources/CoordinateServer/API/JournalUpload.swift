internal import CoordinateSessions
internal import MicroHTTPD

/// An exported journal that is being received. It is replayed as it arrives, and does not keep other clients waiting.
final class JournalUpload: HTTPBodyReceiver {
    /// The largest journal, in bytes.
    static let maximumSize = 16 * 1024 * 1024
    /// The longest line that is always accepted, in bytes.
    private static let longestLine = 256 * 1024

    private let upload: Result<SessionImport, SessionError>

    /// - Parameters:
    ///   - bodyLimit: The largest body of an event, in bytes. A line of an exported journal is not much longer than
    ///     that.
    ///   - withholdsWork: Whether the session's pending work never starts.
    init(into sessions: SessionRegistry, for client: ClientKey, bodyLimit: Int, withholdingWork withholdsWork: Bool) {
        upload = Result { () throws(SessionError) in
            try SessionImport(
                into: sessions, for: client, maximumLineLength: max(Self.longestLine, 4 * bodyLimit),
                withholdingWork: withholdsWork)
        }
    }

    deinit {
        if case .success(let upload) = upload, !isComplete { upload.cancel(.abandoned) }
    }

    private var isComplete = false

    func receive(_ part: [UInt8]) {
        if case .success(let upload) = upload { upload.read(part) }
    }

    /// The import, once the whole journal has arrived. The caller finishes it.
    func complete() -> Result<SessionImport, SessionError> {
        isComplete = true
        return upload
    }
}
