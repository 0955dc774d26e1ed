import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// An error at a piece of source: the reason why nothing can be written of it, and what to do.
struct Complaint: DiagnosticMessage {
    let message: String

    var diagnosticID: MessageID { MessageID(domain: "CoordinateMacros", id: "complaint") }
    var severity: DiagnosticSeverity { .error }
}

/// The offer to change the source, as a fix-it.
struct Correction: FixItMessage {
    let message: String

    var fixItID: MessageID { MessageID(domain: "CoordinateMacros", id: "correction") }
}

extension MacroExpansionContext {
    /// Makes an error of a sentence.
    ///
    /// - Parameters:
    ///   - node: The piece of source that the error points at.
    ///   - sentence: The reason, and what to do; without a full stop, as the compiler's own.
    ///   - corrections: The offers to do it.
    func complain(at node: some SyntaxProtocol, _ sentence: String, corrections: [FixIt] = []) {
        diagnose(Diagnostic(node: node, message: Complaint(message: sentence), fixIts: corrections))
    }
}

extension FixIt {
    /// The offer to write a text instead of a piece of source.
    static func writing(_ text: String, over node: some SyntaxProtocol, _ sentence: String) -> FixIt {
        changing(node.trimmedRange, in: node, to: text, sentence)
    }

    /// The offer to write a text in front of a piece of source.
    static func inserting(_ text: String, before node: some SyntaxProtocol, _ sentence: String) -> FixIt {
        let start = node.positionAfterSkippingLeadingTrivia
        return changing(start..<start, in: node, to: text, sentence)
    }

    /// The offer to take a piece of source away, with the space behind it.
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
