import Testing

@testable import MicroHTTPD

struct HTTPMethodTests {
    private static let known: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .options]

    @Test(arguments: ["G", "GE", "GETS", "get", "Get", "P", "POS", "POSTS", "PO", "HEA", "A"])
    func unknownWordsAreOtherMethods(word: String) {
        let method = word.withCString { HTTPMethod($0) }
        #expect(method.rawValue == word)
        #expect(!Self.known.contains(method))
    }

    @Test func eachMethodIsReadFromItsName() {
        for method in Self.known { #expect(method.rawValue.withCString { HTTPMethod($0) } == method) }
    }

    @Test func methodsAreEqualByTheirNames() {
        for (place, method) in Self.known.enumerated() {
            #expect(Self.known.indices.filter { Self.known[$0] == method } == [place])
            #expect(method == .other(method.rawValue))
            #expect(.other(method.rawValue) == method)
            #expect(Set([method, .other(method.rawValue)]).count == 1)
            #expect(method != .other("BREW"))
        }
        #expect(HTTPMethod.other("BREW") == .other("BREW"))
        #expect(HTTPMethod.other("BREW") != .other("MAKE"))
    }
}
