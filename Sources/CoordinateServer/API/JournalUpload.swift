internal import MicroHTTPD

/// An exported journal on its way in. It is replayed as it arrives, so that no more than a line of it is kept, and no
/// other client has to wait for the whole of it.
///
/// Its session takes up a place from the beginning, and gives it back where nothing comes of it.
final class JournalUpload: HTTPBodyReceiver {
    /// The largest journal, in bytes.
    static let maximumSize = 16 * 1024 * 1024

    private let sessions: SessionRegistry
    private var progress: Result<SessionImport, SessionError>

    /// - Parameter host: Nil where no session can be made.
    init(to host: AppHost?, in sessions: SessionRegistry) {
        self.sessions = sessions
        progress = Result { () throws(SessionError) in
            guard let host, !sessions.isFull else { throw .tooManySessions }
            let upload = try SessionImport(host: host)
            try sessions.add(upload.session)
            return upload
        }
    }

    deinit {
        if case .success(let upload) = progress, !upload.isFinished { sessions.end(upload.session.id) }
    }

    func receive(_ part: [UInt8]) {
        guard case .success(let upload) = progress else { return }
        do throws(SessionError) {
            upload.session.touch()
            try upload.read(part)
        } catch {
            fail(upload, error)
        }
    }

    /// The session, once all has arrived.
    func session() throws(SessionError) -> Session {
        let upload = try progress.get()
        do throws(SessionError) {
            return try upload.finish()
        } catch {
            fail(upload, error)
            throw error
        }
    }

    private func fail(_ upload: SessionImport, _ error: SessionError) {
        progress = .failure(error)
        sessions.end(upload.session.id)
    }
}
