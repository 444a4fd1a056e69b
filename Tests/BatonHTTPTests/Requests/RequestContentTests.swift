import Baton
import Foundation
import Testing

@testable import BatonHTTP

@Suite("RequestContent")
struct RequestContentTests {
    private static let endpoint = URL(string: "https://host/graphql") ?? URL(fileURLWithPath: "/")

    private func content(
        _ document: RequestContent.Document = .text("{ a }"), _ variables: [JSONValue.Member] = []
    ) -> RequestContent {
        RequestContent(
            NetworkRequest(id: 1, operationName: "Q", kind: .query, text: nil, variables: variables), document)
    }

    private func query(_ content: RequestContent, at endpoint: URL = endpoint, limit: Int = 10_000) -> String? {
        content.url(at: endpoint, limit: limit)?.absoluteString
    }

    @Test("the parameters of a GET are in one order, and all bytes but the unreserved ones are encoded")
    func theParametersOfAGETHaveOneOrder() {
        let variables: [JSONValue.Member] = [
            .init("b", "1+1 & \u{E9}\u{1F600}#?/=%"), .init("a", ["z": 1, "y": [true, nil]]),
        ]
        let expected =
            "https://host/graphql?query=query%20Q%20%7B%20a%20%7D&operationName=Q&variables="
            + "%7B%22a%22%3A%7B%22y%22%3A%5Btrue%2Cnull%5D%2C%22z%22%3A1%7D%2C"
            + "%22b%22%3A%221%2B1%20%26%20%C3%A9%F0%9F%98%80%23%3F%2F%3D%25%22%7D"
        #expect(query(content(.text("query Q { a }"), variables)) == expected)
        #expect(RequestContent.percentEncoded("AZaz09-._~") == "AZaz09-._~")
    }

    @Test(
        "a server decodes the parameters that were encoded",
        arguments: ["+", "a b", "\u{0}\n\r\t", "%41", "\u{FFFF}", "\u{E9}"])
    func aServerDecodesWhatWasEncoded(_ text: String) throws {
        let url = try #require(content(.text(text)).url(at: Self.endpoint, limit: 10_000))
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        #expect(items?.first { $0.name == "query" }?.value == text)
    }

    @Test("requests that are equal have one URL")
    func equalRequestsHaveOneURL() {
        let left: [JSONValue.Member] = [.init("a", 1), .init("b", ["c": 1.0, "d": 2])]
        let right: [JSONValue.Member] = [.init("b", ["d": 2, "c": 1]), .init("a", 1)]
        #expect(query(content(.text("{a}"), left)) == query(content(.text("{a}"), right)))
    }

    @Test("the query of the endpoint is kept as it is, and its fragment is dropped")
    func theQueryOfTheEndpointIsKept() throws {
        let endpoint = try #require(URL(string: "https://host/graphql?key=a%2Bb+c#top"))
        #expect(
            query(content(.text("{a}")), at: endpoint)
                == "https://host/graphql?key=a%2Bb+c&query=%7Ba%7D&operationName=Q")
    }

    @Test("a URL of the limit is made, and a longer one is not")
    func aURLIsMadeUpToTheLimit() throws {
        let length = try #require(query(content())).utf8.count
        #expect(query(content(), limit: length) != nil)
        #expect(query(content(), limit: length - 1) == nil)
    }

    @Test(
        "an id stands where the server expects it",
        arguments: [
            (DocumentIDShape.documentId, #"{"documentId":"x","operationName":"Q"}"#),
            (.id, #"{"id":"x","operationName":"Q"}"#), (.docID, #"{"doc_id":"x","operationName":"Q"}"#),
            (
                .persistedQuery,
                #"{"operationName":"Q","extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}"#
            ),
        ])
    func anIDStandsWhereTheServerExpectsIt(_ shape: DocumentIDShape, _ json: String) {
        #expect(String(decoding: content(.id("x", shape)).json, as: UTF8.self) == json)
    }

    @Test(
        "a file is null in the variables, and its place is made where it is missing",
        arguments: [
            ("file", "{}", #"{"file":null}"#), ("file", #"{"file":3}"#, #"{"file":null}"#),
            ("files.1", "{}", #"{"files":[null,null]}"#), ("files.0", #"{"files":[1,2]}"#, #"{"files":[null,2]}"#),
            ("input.photos.0.file", #"{"input":{"name":"n"}}"#, #"{"input":{"name":"n","photos":[{"file":null}]}}"#),
            ("input.file", #"{"input":null,"b":1}"#, #"{"input":{"file":null},"b":1}"#),
        ])
    func aFileIsNullInTheVariables(_ place: String, _ before: String, _ after: String) throws {
        var value = try JSONValue.parse(Array(before.utf8))
        try UploadPlace(place).setNull(in: &value)
        #expect(value.text == after)
    }

    @Test(
        "an impossible place of a file is refused",
        arguments: ["", "a..b", "text.file", "list.x", "list.-1", "list.99999999", "list.9223372036854775808"])
    func anImpossiblePlaceOfAFileIsRefused(_ place: String) {
        var value: JSONValue = ["text": "t", "list": []]
        #expect(throws: RelayError.self) { try UploadPlace(place).setNull(in: &value) }
    }
}
