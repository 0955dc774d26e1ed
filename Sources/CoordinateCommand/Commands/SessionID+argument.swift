internal import ArgumentParser
internal import CoordinateSessions

extension SessionID {
    /// Parses an argument of the command line.
    init(argument: String) throws {
        guard let id = SessionID(argument) else {
            throw ValidationError("\"\(argument)\" is not a session id. Ids have 22 letters, digits, - and _.")
        }
        self = id
    }
}
