import Coordinate
import JSON
import MicroHTTPD
import Testing

@testable import CoordinateServer

struct DocumentWriterTests {
    @Test func aDocumentHasTheSameBytesAsOtherJSON() {
        let everyControlCharacter = String(String.UnicodeScalarView((0..<0x80).compactMap(Unicode.Scalar.init)))
        let value = PlainValue.array([
            .null, .bool(true), .int(-12), .double(0.5), .double(.infinity), .string(""), .string("/main/é🏁"),
            .string(everyControlCharacter),
            .object([PlainField("\"", .array([])), PlainField("b", .object([]))]),
        ])
        var document = DocumentWriter()
        document.plain(value)
        var json = JSONWriter<[UInt8]>()
        json.plain(value)
        let documentBytes = document.finish().bytes
        let bytes = json.finish()
        #expect(documentBytes == bytes)
    }

    @Test(arguments: [false, true]) func aDocumentCanContainAnother(isToBeKept: Bool) {
        var document = DocumentWriter(capacity: 0)
        document.object {
            $0.key("encoded")
            $0.encoded(HTTPBody("{}"))
            $0.key("null")
            $0.null()
        }
        let body = document.finish(isToBeKept: isToBeKept)
        #expect(String(decoding: body.bytes, as: UTF8.self) == #"{"encoded":{},"null":null}"#)
    }
}
