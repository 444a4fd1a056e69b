import BatonCompiler
import BatonLanguageServer
import Testing

struct LifecycleTests {
    private static func answer(_ server: inout LanguageServer, _ method: String, _ parameters: JSONValue = [:])
        -> JSONValue
    {
        let message: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": parameters]
        server.handle(Message.read(Array(message.text.utf8)))
        return server.takeOutput().last { $0["id"] == 1 } ?? .null
    }

    @Test func requestsBeforeInitializationAreRefused() {
        var server = LanguageServer(version: "1")
        #expect(Self.answer(&server, "textDocument/hover").at("error", "code") == -32002)
        #expect(Self.answer(&server, "initialize")["result"] != nil)
        #expect(Self.answer(&server, "initialize").at("error", "code") == -32600)
    }

    @Test func unknownRequestsAreAnsweredAndUnknownNotificationsAreNot() {
        var server = LanguageServer(version: "1")
        _ = Self.answer(&server, "initialize")
        #expect(Self.answer(&server, "textDocument/unheardOf").at("error", "code") == -32601)
        server.handle(.success(.notification(method: "$/unheardOf", parameters: .null)))
        #expect(server.takeOutput().isEmpty)
    }

    @Test func theStatusTellsWhetherTheServerWasShutDown() {
        var server = LanguageServer(version: "1")
        _ = Self.answer(&server, "initialize")
        #expect(Self.answer(&server, "shutdown")["result"] == .null)
        #expect(Self.answer(&server, "textDocument/hover").at("error", "code") == -32600)
        server.handle(.success(.notification(method: "exit", parameters: .null)))
        #expect(server.exitStatus == 0)
        var other = LanguageServer(version: "1")
        other.handle(.success(.notification(method: "exit", parameters: .null)))
        #expect(other.exitStatus == 1)
    }

    @Test func aCancelledRequestIsAnsweredWithAnError() {
        var server = LanguageServer(version: "1") { $0 == 1 }
        _ = Self.answer(&server, "initialize")
        #expect(Self.answer(&server, "textDocument/hover").at("error", "code") == -32800)
    }

    @Test(
        arguments: [
            "textDocument/completion", "textDocument/hover", "textDocument/definition", "textDocument/references",
            "textDocument/implementation",
        ])
    func parametersThatAreNoneAreAnsweredWithAnError(method: String) throws {
        let client = try ScriptedClient(Library.files)
        client.open("documents/Author.graphql", Library.author)
        let uri = JSONValue.string(client.uri("documents/Author.graphql"))
        let wrong: [JSONValue] = [
            nil, 3, [], ["textDocument": 3], ["textDocument": ["uri": uri], "position": ["line": -1, "character": 0]],
            ["textDocument": ["uri": "file:///nowhere.graphql"], "position": ["line": 0, "character": 0]],
        ]
        for parameters in wrong {
            let answer = try client.answer(method, parameters)
            #expect(answer.at("error", "code") == -32602, "\(parameters.text)")
        }
        let beyond: JSONValue = ["line": 9999, "character": 9999]
        let answer = try client.answer(method, ["textDocument": ["uri": uri], "position": beyond])
        #expect(answer["result"] != nil)
    }
}
