internal import CoordinateClient
internal import Testing

extension ClientError {
    /// Records this error as an issue of the running test, at the line of the failed call.
    ///
    /// - Throws: The error of a failed requirement, which Swift Testing does not report again. Returns if no test is
    ///   running.
    func record() throws {
        guard Test.current != nil else { return }
        // The report shows the value of this constant.
        let error: String? = message
        try #require(
            error == nil,
            sourceLocation: SourceLocation(
                fileID: callSite.fileID, filePath: callSite.filePath, line: callSite.line, column: callSite.column))
    }
}
