/// The language of a page: its tag, and the direction of its text.
public struct PageLanguage: Hashable, Sendable {
    /// The tag for the attribute `lang` (RFC 5646): `de-CH`.
    public let tag: String

    /// English, the language of this library's own sentences.
    public static let english = PageLanguage(locale: nil)

    /// Creates the language of a locale such as `de_CH`; English if there is none, or if it is not a language tag.
    public init(locale: String?) {
        let tag = (locale ?? "").split(separator: ".")[...].first.map { $0.map { $0 == "_" ? "-" : $0 } } ?? []
        let parts = String(tag).split(separator: "-", omittingEmptySubsequences: false)
        let isTag =
            parts.first?.allSatisfy { $0.isASCII && $0.isLetter } == true
            && parts.allSatisfy {
                (1...8).contains($0.count) && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            }
        self.tag = isTag ? String(tag) : "en"
    }

    /// Whether text runs from right to left.
    public var isRightToLeft: Bool {
        let parts = tag.lowercased().split(separator: "-")
        if parts.count > 1, parts[1].count == 4 { return Self.scripts.contains(String(parts[1])) }
        return parts.first.map { Self.languages.contains(String($0)) } ?? false
    }

    /// Whether it is English.
    var isEnglish: Bool { tag.lowercased().split(separator: "-").first == "en" }

    private static let languages: Set<String> = [
        "ar", "arc", "ckb", "dv", "fa", "he", "iw", "ps", "sd", "ug", "ur", "yi",
    ]
    private static let scripts: Set<String> = ["adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa"]
}
