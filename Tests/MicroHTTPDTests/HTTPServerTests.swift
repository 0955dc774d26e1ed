import Dispatch
import MicroHTTPD
import Synchronization
import Testing

struct HTTPServerTests {
    @Test func aPortInUseIsAnErrorThatNamesIt() throws {
        let test = try TestServer.make()
        let configuration = HTTPServerConfiguration(port: test.server.port)
        let second = HTTPServer(configuration: configuration, handler: test.handler)
        let expected = HTTPServerError.addressInUse(host: "127.0.0.1", port: test.server.port)
        #expect(throws: expected) { try second.start() }
        #expect("\(expected)".contains("\(test.server.port)"))
    }

    @Test(arguments: ["", "nowhere.example", "300.1.1.1", "127.0.0.1:80", "[::1]"])
    func aMalformedHostIsAnErrorThatNamesIt(host: String) throws {
        #expect(throws: HTTPServerError.badAddress(host: host)) { try TestServer.make(host: host) }
    }

    @Test func anotherMachinesAddressIsAnError() throws {
        let host = "192.0.2.1"
        #expect(throws: HTTPServerError.addressNotAvailable(host: host)) { try TestServer.make(host: host) }
    }

    @Test(arguments: ["::1", "localhost"])
    func aServerListensOnLoopbackAddresses(host: String) throws {
        let test = try TestServer.make(host: host)
        let client = try RawClient(port: test.server.port, isIPv6: host == "::1")
        try client.send(.get("/"))
        #expect(try client.answer().status == 200)
    }

    @Test(arguments: [
        ("127.255.0.9", true), ("localhost", true), ("::1", true), ("::ffff:127.0.0.1", true), ("0.0.0.0", false),
        ("::", false), ("192.0.2.127", false), ("nowhere.example", false), ("", false),
    ])
    func isOnLoopbackRequiresALoopbackAddress(host: String, isLoopback: Bool) {
        #expect(HTTPServerConfiguration(host: host).isOnLoopback == isLoopback)
    }

    @Test func aServerStartsOnce() throws {
        let test = try TestServer.make()
        #expect(throws: HTTPServerError.alreadyStarted) { try test.server.start() }
        test.server.stop(deadline: .zero)
        #expect(throws: HTTPServerError.alreadyStarted) { try test.server.start() }
    }

    @Test func aRequestInFlightIsAnsweredBeforeTheServerStops() throws {
        let entered = DispatchSemaphore(value: 0)
        let released = DispatchSemaphore(value: 0)
        let test = try TestServer.make { _ in
            entered.signal()
            released.wait()
            return HTTPResponse(status: 200, body: "late")
        }
        let client = try test.client()
        try client.send(.get("/"))
        entered.wait()

        let stopped = DispatchSemaphore(value: 0)
        DispatchQueue(label: "stop").async {
            test.server.stop(deadline: .seconds(20))
            stopped.signal()
        }
        while !test.server.isDraining {}
        released.signal()
        let answer = try client.answer()
        #expect(answer.body == "late")
        #expect(answer.headers["connection"] == "close")
        stopped.wait()
        #expect(throws: RawClient.Failure.self) { try test.client() }
    }

    @Test func stopDoesNotWaitForIdleConnectionsAndMayBeCalledAgain() throws {
        let test = try TestServer.make()
        let client = try test.client()
        try client.send(.get("/"))
        _ = try client.answer()
        let unused = try test.client()
        test.server.stop(deadline: .seconds(20))
        test.server.stop(deadline: .seconds(20))
        #expect(try client.everything().isEmpty)
        #expect(try unused.everything().isEmpty)
    }

    @Test func aServerThatNeverStartedCanBeStopped() {
        let server = HTTPServer(handler: TestHandler { _ in HTTPResponse(status: 200) })
        server.stop(deadline: .seconds(1))
        #expect(server.port == 0)
        #expect(server.load.connections == 0)
    }

    @Test func drainingEndsEachConnectionWithItsNextAnswer() throws {
        let shared = HTTPResponse(status: 200, headers: ["A": "b"], body: "shared")
        let test = try TestServer.make { _ in shared }
        let client = try test.client()
        try client.send(.get("/"))
        #expect(try client.answer().headers["connection"] == nil)
        test.server.drain()
        try client.send(.get("/"))
        let answer = try client.answer()
        #expect(answer.headers["connection"] == "close")
        #expect(answer.headers["a"] == "b")
        #expect(answer.body == "shared")
        #expect(try client.everything().isEmpty)
        #expect(try test.answer(.post("/", body: "a")).headers["connection"] == "close")
    }

    @Test func releasingAServerStopsItAndFreesItsHandler() throws {
        weak var handler: TestHandler?
        var port: UInt16 = 0
        do {
            let test = try TestServer.make()
            handler = test.handler
            port = test.server.port
            #expect(try test.answer(.post("/?a", body: "b")).status == 200)
            #expect(handler != nil)
        }
        #expect(handler == nil)
        #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
    }

    @Test func libraryMessagesAreLogged() throws {
        let lines = Mutex<[String]>([])
        let test = try TestServer.make(onLog: { line in lines.withLock { $0.append(line) } })
        #expect(try test.answer(.get("/", "no colon")).status == 400)
        let all = lines.withLock { $0 }
        #expect(all.contains { $0.contains("HTTP response code is 400") && !$0.hasSuffix("\n") })
    }
}
