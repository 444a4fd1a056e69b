import Foundation
import HTML
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import Web

/// A browser without anything but a cookie.
struct Client: Sendable {
    struct Answer: Sendable {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let text: String
    }

    let client: any TestClientProtocol

    func get(_ path: String, cookie: String? = nil, version: String? = nil) async throws -> Answer {
        var headers = HTTPFields()
        headers[.cookie] = cookie
        headers[.ifNoneMatch] = version
        return try await client.execute(uri: path, method: .get, headers: headers, testCallback: Self.answer)
    }

    func post(_ path: String, _ form: String, cookie: String? = nil) async throws -> Answer {
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        headers[.cookie] = cookie
        return try await client.execute(
            uri: path, method: .post, headers: headers, body: ByteBuffer(string: form), testCallback: Self.answer)
    }

    /// Sends a request with these headers and nothing else.
    func send(
        _ path: String, _ method: HTTPRequest.Method = .get, _ headers: [(String, String)] = []
    ) async throws -> Answer {
        var fields = HTTPFields()
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
        return try await client.execute(uri: path, method: method, headers: fields, testCallback: Self.answer)
    }

    /// The cookie of a new session.
    func signIn(_ name: String) async throws -> String {
        let form = "name=\(name.replacing(" ", with: "+"))"
        let cookie = try #require(try await post("/sign-in", form).headers[.setCookie])
        return String(cookie.prefix { $0 != ";" })
    }

    private static func answer(_ response: TestResponse) -> Answer {
        Answer(status: response.status, headers: response.headers, text: String(buffer: response.body))
    }
}

extension PageAddress {
    /// The address that a browser without a cookie asks for.
    static func of(_ address: String) async throws -> PageAddress {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: address)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let page = await PageRequest(request, Sessions())
        return try #require(PageAddress(page, query: request.uri.query, id: nil))
    }
}
