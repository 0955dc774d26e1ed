import MicroHTTPD
import Testing

struct IPAddressTests {
    @Test func anIPv4MappedAddressEqualsItsIPv4Address() {
        #expect(IPAddress("::ffff:192.0.2.1") == IPAddress("192.0.2.1"))
        #expect(IPAddress("::ffff:c000:201") == IPAddress("192.0.2.1"))
        #expect(IPAddress("::192.0.2.1") != IPAddress("192.0.2.1"))
    }

    @Test(arguments: ["", "localhost", "192.0.2", "192.0.2.1:80", "[::1]", "fe80::1%eth0", "192.0.2.256", "192.0.2.1 "])
    func malformedAddressesAreRefused(text: String) {
        #expect(IPAddress(text) == nil)
        #expect(IPNetwork(text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("128.0.0.1", false),
        ("::2", false), ("::", false), ("7f00::1", false),
    ])
    func loopbackIsThisMachine(text: String, isLoopback: Bool) throws {
        #expect(try #require(IPAddress(text)).isLoopback == isLoopback)
    }

    @Test func theHolderOfAnIPv6AddressIsItsNetwork() throws {
        let one = try #require(IPAddress("2001:db8:1:2:3:4:5:6"))
        #expect(one.holder == IPAddress("2001:db8:1:2:ffff::")?.holder)
        #expect(one.holder != IPAddress("2001:db8:1:3:3:4:5:6")?.holder)
        #expect(IPAddress("192.0.2.1")?.holder != IPAddress("192.0.2.2")?.holder)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.1.2.3/8", "10.9.9.9", true), ("10.0.0.0/8", "11.0.0.0", false),
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1/32", "192.0.2.0", false),
        ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "203.0.113.9", false),
        ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
        ("2001:db8::/65", "2001:db8::7fff:0:0:1", true), ("2001:db8::/65", "2001:db8::8000:0:0:1", false),
        ("::1", "::1", true), ("::ffff:10.0.0.0/8", "10.1.1.1", true),
    ])
    func aNetworkContainsTheAddressesWithItsPrefix(network: String, address: String, isIn: Bool) throws {
        #expect(try #require(IPNetwork(network)).contains(try #require(IPAddress(address))) == isIn)
    }

    @Test(arguments: ["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "/8", "::1/129", "10.0.0.0/a"])
    func malformedNetworksAreRefused(text: String) {
        #expect(IPNetwork(text) == nil)
    }
}
