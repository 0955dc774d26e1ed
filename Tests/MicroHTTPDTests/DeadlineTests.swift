import MicroHTTPD
import Testing

struct DeadlineTests {
    @Test(arguments: [
        "G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: te", "GET / HTTP/1.1\r\nHost: test\r\nA: b\r\n",
        "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\n1234",
    ])
    func aRequestThatIsNotFinishedInTimeIsClosed(beginning: String) throws {
        let test = try TestServer.make(requestDeadline: .milliseconds(50))
        let client = try test.client()
        try client.send(beginning)
        #expect(try client.everything().isEmpty)
        #expect(test.handler.paths.isEmpty)
    }

    @Test func anIdleConnectionHasNoDeadline() throws {
        let test = try TestServer.make(requestDeadline: .milliseconds(200))
        let idle = try test.client()
        try idle.send(.get("/"))
        #expect(try idle.answer().status == 200)
        let unused = try test.client()
        for _ in 0..<3 {
            let slow = try test.client()
            try slow.send("GET")
            #expect(try slow.everything().isEmpty)
        }
        for client in [idle, unused] {
            try client.send(.get("/"))
            #expect(try client.answer().status == 200)
        }
    }
}
