import MicroHTTPD
import Testing

struct PercentEncodingTests {
    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("a%20b", "a b"), ("%2F", "/"), ("caf%C3%A9", "café"), ("caf%c3%a9", "café"),
        ("a+b", "a+b"), ("%25", "%"), ("%2525", "%25"),
    ])
    func escapesAreDecodedOnce(escaped: String, plain: String) {
        #expect(HTTPRequest.decodePercent(escaped) == plain)
    }

    @Test(arguments: ["%", "%2", "%zz", "a%2", "%00", "\0", "a%00b", "%C3", "%FF", "%-1", "%+1", "% 1", "%é1"])
    func malformedEscapesNULAndInvalidUTF8AreRefused(escaped: String) {
        #expect(HTTPRequest.decodePercent(escaped) == nil)
    }
}
