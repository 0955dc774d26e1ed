import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// An error at a piece of source: the reason, and what to do.
struct Complaint: DiagnosticMessage {
    let message: String

    var diagnosticID: MessageID { MessageID(domain: "CoordinateMacros", id: "complaint") }
    var severity: DiagnosticSeverity { .error }
}

/// A fix-it that changes the source.
struct Correction: FixItMessage {
    let message: String

    var fixItID: MessageID { MessageID(domain: "CoordinateMacros", id: "correction") }
}

extension MacroExpansionContext {
    /// Reports an error.
    ///
    /// - Parameters:
    ///   - node: The piece of source that the error points to.
    ///   - sentence: The reason and what to do, without a full stop, like the compiler's errors.
    ///   - corrections: The fix-its.
    func complain(at node: some SyntaxProtocol, _ sentence: String, corrections: [FixIt] = []) {
        diagnose(Diagnostic(node: node, message: Complaint(message: sentence), fixIts: corrections))
    }
}

extension FixIt {
    /// A fix-it that replaces a piece of source.
    static func writing(_ text: String, over node: some SyntaxProtocol, _ sentence: String) -> FixIt {
        changing(node.trimmedRange, in: node, to: text, sentence)
    }

    /// A fix-it that inserts a text before a piece of source.
    static func inserting(_ text: String, before node: some SyntaxProtocol, _ sentence: String) -> FixIt {
        let start = node.positionAfterSkippingLeadingTrivia
        return changing(start..<start, in: node, to: text, sentence)
    }

    /// A fix-it that removes a piece of source and the space after it.
    static func removing(_ node: some SyntaxProtocol, _ sentence: String) -> FixIt {
        changing(node.positionAfterSkippingLeadingTrivia..<node.endPosition, in: node, to: "", sentence)
    }

    private static func changing(
        _ range: Range<AbsolutePosition>, in node: some SyntaxProtocol, to text: String, _ sentence: String
    ) -> FixIt {
        FixIt(
            message: Correction(message: sentence),
            changes: [.replaceText(range: range, with: text, in: Syntax(node))])
    }
}
