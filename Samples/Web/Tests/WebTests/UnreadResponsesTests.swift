import NIOCore
import NIOEmbedded
import Testing

@testable import Web

/// Connections whose other end reads nothing, by a loop whose time the test advances. What is not flushed waits, as
/// that does for which the system has no room.
@Suite struct UnreadResponsesTests {
    /// A connection and the loop on which it is. Both belong to the thread that has made them.
    private struct Connection {
        let loop = EmbeddedEventLoop()
        let channel: EmbeddedChannel

        init() throws {
            channel = EmbeddedChannel(handler: UnreadResponses(after: .seconds(30)), loop: loop)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        func write(_ text: String) { channel.write(ByteBuffer(string: text), promise: nil) }
        func pass(_ seconds: Int64) { loop.advanceTime(by: .seconds(seconds)) }
        func end() { _ = try? channel.finish(acceptAlreadyClosed: true) }
    }

    @Test func whoReadsNothingIsEnded() throws {
        let browser = try Connection()
        defer { browser.end() }
        browser.write("a page")
        browser.pass(29)
        // What is asked for meanwhile is no sign that anything is read.
        browser.write("another page")
        #expect(browser.channel.isActive)
        browser.pass(1)
        #expect(!browser.channel.isActive)
    }

    @Test func whoReadsSlowlyIsServed() throws {
        let browser = try Connection()
        defer { browser.end() }
        for _ in 0..<10 {
            browser.write("a page")
            browser.pass(20)
            #expect(browser.channel.isActive)
            browser.channel.flush()
            browser.write("a page")
            browser.pass(10)
            #expect(browser.channel.isActive)
        }
        // Until it reads no more.
        browser.pass(60)
        #expect(!browser.channel.isActive)
    }

    @Test func whoHasReadEverythingMayStay() throws {
        let browser = try Connection()
        defer { browser.end() }
        browser.write("a page")
        browser.channel.flush()
        browser.pass(3600)
        #expect(browser.channel.isActive)
        browser.write("a page")
        browser.pass(30)
        #expect(!browser.channel.isActive)
    }
}
