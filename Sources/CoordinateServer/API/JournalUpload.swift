internal import MicroHTTPD

/// An exported journal on its way in. It is replayed as it arrives, so that no more than a line of it is kept, and no
/// other client has to wait for the whole of it.
final class JournalUpload: HTTPBodyReceiver {
    /// The largest journal, in bytes.
    static let maximumSize = 16 * 1024 * 1024

    private var progress: Result<SessionImport, SessionError>

    /// - Parameter host: Nil where no session can be made.
    init(to host: AppHost?) {
        progress = Result { () throws(SessionError) in
            guard let host else { throw .tooManySessions }
            return try SessionImport(host: host)
        }
    }

    func receive(_ part: [UInt8]) {
        progress = progress.flatMap { upload in
            Result { () throws(SessionError) in
                try upload.read(part)
                return upload
            }
        }
    }

    /// The session, once all has arrived.
    func session() throws(SessionError) -> Session {
        try progress.get().finish()
    }
}
