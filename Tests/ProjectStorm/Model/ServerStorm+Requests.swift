import BatonCompiler
import BatonLanguageServer
import RandomCases

/// Requests at random moments, also while the project waits for a judgement. Each answer is that of a server that was
/// started on the same files and has the same documents open.
extension ServerStorm {
    mutating func ask(_ tally: inout Tally) throws {
        guard let name = documents.isEmpty ? nil : random.pick(documents), let text = open[name] ?? files[name] else {
            return
        }
        let method = random.pick(
            ["textDocument/references", "textDocument/references", "textDocument/rename", "textDocument/definition"])
        let parameters: JSONValue = [
            "textDocument": ["uri": uri(name)], "position": position(in: text),
            "newName": .string(random.pick(["Fresh", "fresh", "C3_film", "C5_person", "n", "other"])),
        ]
        requestCount += 1
        let id = JSONValue.integer(requestCount)
        server.handle(Self.message(method, parameters, id))
        receive()
        if answers[id] == nil { tally.waited += 1 }
        while answers[id] == nil, let job = server.nextJob() {
            if random.chance(15) { try edit() }
            server.finish(job.run())
            receive()
        }
        tally.requests += 1
        let answer = answers[id]
        answers = [:]
        // A place in a document that has changed since means nothing any more.
        if answer?.at("error", "code") == -32801, open[name] ?? files[name] != text || open[name] == nil { return }
        let expected = fresh(method, parameters)
        guard Self.content(answer) != Self.content(expected) else { return }
        tally.failure =
            "after \(tally.edits) edits: \(method) in \(name) \(parameters["position"]?.text ?? "")\n-- is answered\n"
            + "\(Self.content(answer))\n-- should be\n\(Self.content(expected))"
    }

    private static func content(_ answer: JSONValue?) -> String {
        "\(answer?["result"]?.text ?? "") \(answer?["error"]?.text ?? "")"
    }

    /// The place of a name of a definition if there is one, or any place.
    private mutating func position(in text: String) -> JSONValue {
        let characters = Array(text)
        let names = characters.indices.filter { index in
            characters[index] == "C" && index + 1 < characters.count && characters[index + 1].isNumber
        }
        let index = names.isEmpty || random.chance(20) ? random.below(characters.count + 1) : random.pick(names)
        return Self.position(index, in: characters)
    }

    /// The answer of a server that is started now.
    private func fresh(_ method: String, _ parameters: JSONValue) -> JSONValue? {
        var server = LanguageServer(version: "fresh")
        server.handle(
            Self.message(
                "initialize", ["capabilities": [:], "rootUri": .string(DocumentURI(tree).text)], 1))
        server.handle(Self.message("initialized", [:], nil))
        for (name, text) in open.sorted(by: { $0.key < $1.key }) {
            server.handle(
                Self.message(
                    "textDocument/didOpen",
                    [
                        "textDocument": [
                            "uri": uri(name), "languageId": "graphql", "version": 1, "text": .string(text),
                        ]
                    ], nil))
        }
        while let job = server.nextJob() { server.finish(job.run()) }
        server.handle(Self.message(method, parameters, 2))
        return server.takeOutput().first { $0["id"] == 2 }
    }
}
