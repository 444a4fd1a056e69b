// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Testing

@testable import Baton

/// Fields of the client's own schema: local updates write them, and answers never do.
@Suite struct ClientFieldTests {
    static let artifact = GeneratedCode.OperationArtifact(
        name: "Client", kind: .query, text: "query Client { user { id name } }",
        normalization:
            "{user:+User{id:ID! name:String draft:String@client tags:[String]@client note:Note@client{text:String} best:+User@client{id:ID! name:String}}}",
        reader:
            "{user:+User{name:String draft:String@client tags:[String]@client note:Note@client{text:String} best:+User@client{name:String}}}"
    )

    struct Data: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var user: User? { __row.optionalObject(0) }

        struct User: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var name: String? { __row.optionalString(0) }
            var draft: String? { __row.optionalString(1) }
            var tags: [String?]? { __row.optionalList(2) { $0.optionalString() } }
            var note: Note? { __row.optionalObject(3) }
            var best: Best? { __row.optionalObject(4) }
        }

        struct Note: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var text: String? { __row.optionalString(0) }
        }

        struct Best: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var name: String? { __row.optionalString(0) }
        }
    }

    let store = Store()
    let operation: BoundOperation
    static let answer = #"{"data":{"user":{"id":"1","name":"Ann"}}}"#

    init() throws {
        operation = store.bind(Self.artifact, variables: .object([]))
        try store.write(Self.answer, for: operation)
    }

    private var snapshot: ReadResult<Data> { store.read(Data.self, at: operation.root, operation.reader) }

    private func edit() throws {
        try store.update { proxy in
            let user = proxy.get("1")
            try user?.setValue("hello", forField: "draft")
            try user?.setValue(["a", nil], forField: "tags")
            try user?.getOrCreateLinkedRecord(forField: "note", type: "Note").setValue("remember", forField: "text")
            let best = try proxy.create("9", type: "User")
            try user?.setLinkedRecord(best, forField: "best")
        }
    }

    @Test func whatNobodyWroteIsNilAndNotMissing() {
        #expect(snapshot.data?.user?.name == "Ann")
        #expect(snapshot.data?.user?.draft == nil && snapshot.data?.user?.note == nil)
        #expect(!snapshot.isMissingData)
        #expect(store.check(operation) == .available(fetchedAt: nil))
    }

    /// No response has said whether a user is noted; with the mark, nobody has asked.
    @Test(arguments: [("@client", false), ("", true)])
    func theTypeOfASpreadThatNobodyAskedForIsNotMissing(_ mark: String, _ isMissing: Bool) throws {
        let artifact = GeneratedCode.OperationArtifact(
            name: "Client", kind: .query, text: Self.artifact.text, normalization: "{user:+User{id:ID! name:String}}",
            reader: "{user:+User{name:String ~Row<*Noted>\(mark)}}")
        let operation = store.bind(artifact, variables: .object([]))
        let snapshot = store.read(Data.self, at: operation.root, operation.reader)
        #expect(snapshot.isMissingData == isMissing)
        #expect(snapshot.data?.user?.__row.matches(1) == false)
    }

    /// The same for an inline fragment, which appears as soon as a response has said it.
    @Test(arguments: [("@client", false), ("", true)])
    func theTypeOfAnInlineFragmentThatNobodyAskedForIsNotMissing(_ mark: String, _ isMissing: Bool) throws {
        let artifact = GeneratedCode.OperationArtifact(
            name: "Client", kind: .query, text: Self.artifact.text, normalization: "{user:+User{id:ID! name:String}}",
            reader: "{user:+User{name:String <*Noted>\(mark){name:String}}}")
        let operation = store.bind(artifact, variables: .object([]))
        let unknown = store.read(Data.self, at: operation.root, operation.reader)
        #expect(unknown.isMissingData == isMissing)
        let absent: Data.Best? = unknown.data?.user?.__row.inlineFragment(1)
        #expect(absent == nil)
        let asking = GeneratedCode.OperationArtifact(
            name: "Asking", kind: .query, text: "", normalization: "{user:+User{id:ID! <*Noted>{}}}", reader: "{}")
        try store.write(
            #"{"data":{"user":{"__isNoted":"User","id":"1"}}}"#, for: store.bind(asking, variables: .object([])))
        let known = store.read(Data.self, at: operation.root, operation.reader)
        let noted: Data.Best? = known.data?.user?.__row.inlineFragment(1)
        #expect(noted?.name == "Ann" && !known.isMissingData)
    }

    @Test func updatesWriteAndReadersHear() throws {
        let subscriber = CountingSubscriber()
        _ = store.subscribe(subscriber, to: snapshot.dependencies)
        try edit()
        #expect(subscriber.count == 1)
        let user = try #require(snapshot.data?.user)
        #expect(user.draft == "hello" && user.tags == ["a", nil] && user.note?.text == "remember")
        #expect(store.check(operation) == .available(fetchedAt: nil), "nor is what a client link leads to needed")
    }

    /// A response with a member of the same name does not change a client field.
    @Test(arguments: [
        answer, answer.replacing("Ann", with: "Bea"),
        #"{"data":{"user":{"draft":"theirs","id":"1","name":"Ann","tags":null,"note":{"text":"x"},"best":null}}}"#,
        #"{"data":{"user":{"id":"1","draft":7,"name":"Ann"}},"errors":[{"message":"e","path":["user","draft"]}]}"#,
    ])
    func answersLeaveThemAlone(_ answer: String) throws {
        try edit()
        let before = snapshot.data?.user
        try store.write(answer, for: operation)
        let after = snapshot.data?.user
        #expect(after?.draft == before?.draft && after?.tags == before?.tags && after?.note == before?.note)
        #expect(after?.best == before?.best)
        #expect(store.records.fieldErrors.isEmpty)
    }

    @Test func theSameAnswerAgainChangesNothing() throws {
        try edit()
        #expect(try store.write(Self.answer, for: operation).recordsChanged == 0)
    }

    @Test func theyAreNoPartOfTheAnswerAsJSON() throws {
        try edit()
        #expect(store.json(of: operation) == ["user": ["id": "1", "name": "Ann"]])
    }
}
