internal import CoordinateClient
internal import Testing

extension ClientError {
    /// Records this error as an issue of the running test, at the line of the failed call.
    ///
    /// - Throws: The error of a failed requirement, which Swift Testing does not report again. Returns if no test is
    ///   running.
    func record() throws {
        guard Test.current != nil else { return }
        let callSucceeded = false
        try #require(
            callSucceeded, "\(message)",
            sourceLocation: SourceLocation(
                fileID: callSite.fileID, filePath: callSite.filePath, line: callSite.line, column: callSite.column))
    }
}
