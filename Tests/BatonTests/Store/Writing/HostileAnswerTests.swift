import Testing

@testable import Baton

/// Well-formed but odd answers, which must not harm a store.
struct HostileAnswerTests {
    private func bound(_ plan: String, _ store: Store, _ variables: JSONValue = [:]) -> BoundOperation {
        store.bind(Self.artifact(plan), variables: variables)
    }

    private static func artifact(_ plan: String) -> GeneratedCode.OperationArtifact {
        .init(name: "Q", kind: .query, text: "", normalization: plan, reader: plan)
    }

    /// An object with the `id` of the root record is identified by its place, however its `id` is read.
    @Test(arguments: [
        #"{"id":"client:root","name":"x"}"#, #"{"name":"x","id":"client:root"}"#,
        #"{"id":"client:\u0072oot","name":"x"}"#, #"{"name":"x","best":{"id":"client:root"},"id":"client:root"}"#,
    ])
    func noObjectIsTheRoot(_ object: String) throws {
        let store = Store()
        let plan = "{me:+U{id:ID! name:String best:+U{id:ID!}} all:[+U]{id:ID!} other:String}"
        let operation = bound(plan, store)
        try store.write(
            "{\"data\":{\"me\":\(object),\"all\":[{\"id\":\"client:root\"}],\"other\":\"y\"}}", for: operation)
        #expect(store.contents(of: .root)?.fields.map(\.key) == ["me", "all", "other"])
        #expect(store.contents(of: "client:root:me")?.type == "U")
        #expect(store.contents(of: "client:root:all:0")?.type == "U")
        #expect(store.checkInvariants() == [])
    }

    @Test func noApplicationMakesAnObjectTheRoot() throws {
        let store = Store { _, _ in .root }
        let operation = bound("{me:+U{id:ID! name:String}}", store)
        try store.write(#"{"data":{"me":{"id":"1","name":"x"}}}"#, for: operation)
        #expect(store.contents(of: .root)?.fields.map(\.key) == ["me"])
        #expect(store.contents(of: "1") != nil)
    }

    /// `String` finds these texts equal; a server does not.
    @Test func canonicallyEquivalentTextsAreDifferentArguments() throws {
        let store = Store()
        let artifact = Self.artifact("(name){user(name:$name):String}")
        let composed = store.bind(artifact, variables: ["name": "caf\u{e9}"])
        let decomposed = store.bind(artifact, variables: ["name": "cafe\u{301}"])
        #expect(composed !== decomposed)
        try store.write(#"{"data":{"user":"composed"}}"#, for: composed)
        #expect(store.missingPath(decomposed) == ["user"])
        try store.write(#"{"data":{"user":"decomposed"}}"#, for: decomposed)
        #expect(store.json(of: composed) == ["user": "composed"])
        #expect(JSONValue.object([.init("\u{e9}", 1)]) != .object([.init("e\u{301}", 1)]))
    }

    /// All of these values are sent as null. An operation that never equals itself would never be released.
    @Test func whatIsNoNumberEqualsItself() {
        let store = Store()
        let artifact = Self.artifact("(n){value(n:$n):String}")
        let operation = store.bind(artifact, variables: ["n": .double(.nan)])
        #expect(operation === store.bind(artifact, variables: ["n": .double(-.signalingNaN)]))
        store.operations.retain(operation)
        store.operations.releaseWithoutBuffer(operation)
        #expect(store.operations.holderCount(of: operation) == 0)
    }

    /// A scalar without a conversion is kept as the text of its JSON, in one spelling.
    @Test func otherSpellingIsNoChange() throws {
        let store = Store()
        let operation = bound("{a:+U{id:ID! f:Float s:String j:%JSON l:[%JSON] m:[[Float]] n:Int}}", store)
        try store.write(
            #"{"data":{"a":{"id":"1","f":1,"s":"é/","j":{"a b":[1,"é/",2.50]},"l":[{"x":1},[ ]],"m":[[1,2]],"n":1}}}"#,
            for: operation)
        let again = try store.write(
            #"{"data":{"a":{"id":"\u0031","f":1.0e0,"s":"\u00e9\/","j":{ "a b":[1, "\u00e9\/" ,2.50]},"l":[{"x" : 1},[]],"m":[[1.0,20e-1]],"n":1.0}}}"#,
            for: operation)
        #expect(again.recordsChanged == 0)
        #expect(store.json(of: operation)["a"]?["j"] == .string(#"{"a b":[1,"é/",2.50]}"#))
    }

    /// A body that is cut off or has a changed byte gives a typed error or a response; the store stays whole in any
    /// case.
    @Test func brokenBodiesLeaveTheStoreAsItWas() throws {
        let store = Store()
        let operation = bound("{a:+*I{id:ID! n:String l:[[Int]] u:%JSON} b:[+*I]{id:ID!}}", store)
        let body = Array(
            #"{"data":{"a":{"__typename":"T","id":"1","n":"é","l":[[1,2],[3]],"u":{"x":[1,{"y":null}]}},"b":[{"__typename":"T","id":"2"}]},"errors":[{"message":"m","path":["a",0]}]}"#
                .utf8)
        for count in 0..<body.count {
            #expect(throws: RelayError.InvalidResponse.self) {
                try store.normalize(Array(body[..<count]), for: operation)
            }
        }
        #expect(store.contents().isEmpty && store.epoch == 0)
        for position in body.indices {
            for byte: UInt8 in [0, 0x0A, 0x20, 0x22, 0x2C, 0x30, 0x3A, 0x5B, 0x5C, 0x5D, 0x7B, 0x7D, 0x80, 0xC0, 0xFF] {
                var changed = body
                changed[position] = byte
                let (before, epoch) = (store.dump(), store.epoch)
                do throws(RelayError.InvalidResponse) {
                    store.publish(try store.normalize(changed, for: operation), for: operation)
                } catch {
                    #expect(store.dump() == before && store.epoch == epoch)
                }
            }
        }
        #expect(store.checkInvariants() == [])
    }
}
