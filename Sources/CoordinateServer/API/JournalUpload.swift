internal import CoordinateSessions
internal import MicroHTTPD

/// An exported journal on its way in. It is replayed as it arrives, and no other client has to wait for it.
final class JournalUpload: HTTPBodyReceiver {
    /// The largest journal, in bytes.
    static let maximumSize = 16 * 1024 * 1024
    /// The longest line that is accepted in any case, in bytes.
    private static let longestLine = 256 * 1024

    private let upload: Result<SessionImport, SessionError>

    /// - Parameters:
    ///   - bodyLimit: The largest body of an event, in bytes: a line of an exported journal is little longer than that.
    ///   - withholdsWork: Whether nothing that is pending begins in the session.
    init(into sessions: SessionRegistry, for requester: Requester, bodyLimit: Int, withholdingWork withholdsWork: Bool)
    {
        upload = Result { () throws(SessionError) in
            try SessionImport(
                into: sessions, for: requester, maximumLineLength: max(Self.longestLine, 4 * bodyLimit),
                withholdingWork: withholdsWork)
        }
    }

    deinit {
        // A complete upload has fulfilled its promise.
        if case .success(let upload) = upload, !isComplete { upload.giveUp(.givenUp) }
    }

    private var isComplete = false

    func receive(_ part: [UInt8]) {
        if case .success(let upload) = upload { upload.read(part) }
    }

    /// Makes the session, once the whole journal has arrived.
    func session() -> Future<SessionSummary, SessionError> {
        isComplete = true
        switch upload {
        case .success(let upload): return upload.finish()
        case .failure(let error): return .failed(error)
        }
    }
}
