import RandomCases
import Testing

@testable import Baton

/// The data IDs of types that do not implement `Node` are never put together; the records are the same as if they were.
@Suite struct PrefixedIDTests {
    /// A text in two pieces has the same number as in one piece, wherever it is cut.
    @Test(arguments: RandomCases.seeds(8, from: 0 as UInt64)) func aTextInTwoPiecesIsTheTextInOne(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = RecordNumbers(seed: seed)
        var known: [[UInt8]: RecordID] = [:]
        for _ in 0..<300 {
            // Few letters are used, so that the same texts occur with other cuts.
            let text = (0..<Int.random(in: 0..<44, using: &random)).map { UInt8(ascii: "a") + UInt8($0 % 3) }
            let cut = Int.random(in: 0...text.count, using: &random)
            let owner = IDPrefix.Owner(String(decoding: text[..<cut], as: UTF8.self))
            let before = Int.random(in: 0..<3, using: &random)
            let after = Array("\",\"more".utf8.prefix(Int.random(in: 0..<8, using: &random)))
            let bytes = Array(repeating: UInt8(ascii: "x"), count: before) + text[cut...] + after
            JSONCursor.reading(bytes) { cursor in
                let end = before + text.count - cut
                let pieces = IDText(prefix: owner.prefix, range: before..<end)
                let record = table.intern(pieces, in: cursor)
                #expect(known[text].map { $0 == record } ?? !known.values.contains(record))
                known[text] = record
                var list: [RecordID] = []
                table.intern([pieces, pieces], in: cursor, into: &list)
                #expect(list == [record, record])
                #expect(table.isText(record, pieces, in: cursor))
                #expect(table.intern(text, adding: false) == record)
                #expect(table.text(of: record, droppingFirst: cut).map { Array($0.utf8) } == Array(text[cut...]))
                let found = table.endOfText(record, after: owner.prefix, cursor, at: before)
                #expect(found == (after.first == UInt8(ascii: "\"") ? end + 1 : nil))
                for other in known.values.prefix(5) where other != record {
                    #expect(!table.isText(other, pieces, in: cursor))
                }
            }
        }
    }

    private static func artifact(_ plan: String) -> GeneratedCode.OperationArtifact {
        GeneratedCode.OperationArtifact(name: "L", kind: .query, text: "", normalization: plan, reader: plan)
    }

    private static func dump(_ plan: String, _ bodies: [String]) throws -> String {
        let store = Store()
        let operation = store.bind(artifact(plan), variables: .object([]))
        for body in bodies { try store.write(#"{"data":\#(body)}"#, for: operation) }
        #expect(store.checkInvariants() == [])
        return store.dump()
    }

    /// A server with global identifiers like `User:1` may also have a type `User` that does not implement `Node`.
    @Test func aNodeThatIsCalledLikeAnotherTypeWithItsPrefixIsTheSameRecord() throws {
        let plan = "{user:User{id:ID! a:Int} node:+Thing{id:ID! a:Int}}"
        let bodies = [
            #"{"user":{"id":"1","a":1}}"#, #"{"node":{"id":"User:1","a":2}}"#,
        ]
        #expect(
            try Self.dump(plan, bodies) == """
                User:1 is Thing
                User:1.a = 2
                User:1.id = "User:1"
                client:root is __Root
                client:root.node = "-> User:1"
                client:root.user = "-> User:1"
                """)
        // The list finds the existing record, whose type is another.
        let lists = "{users:[User]{id:ID!} nodes:[+Thing]{id:ID!}}"
        let texts = [#"{"nodes":[{"id":"User:1"}]}"#, #"{"users":[{"id":"1"}]}"#, #"{"users":[{"id":"1"}]}"#]
        #expect(
            try Self.dump(lists, texts) == """
                User:1 is User
                User:1.id = "1"
                client:root is __Root
                client:root.nodes = ["-> User:1"]
                client:root.users = ["-> User:1"]
                """)
    }

    /// A type name from a server may contain the end of a string.
    @Test func aTypeNameIsNotTakenForWhatComesAfterIt() throws {
        let plan = "{list:[*I]{id:ID!}}"
        let items = [
            #"{"__typename":"x\",\"id\":\"1","id":"1"}"#, #"{"__typename":"x","id":"1"}"#,
            #"{"__typename":"x\\","id":"2"}"#, #"{"__typename":"x\\","id":"2"}"#,
            #"{"__typename":"x","id":"2"}"#, #"{"id":"3","__typename":"x"}"#, #"{"id":"3","__typename":"\u0078"}"#,
        ]
        let body = #"{"list":[\#(items.joined(separator: ","))]}"#
        let once = try Self.dump(plan, [body])
        #expect(
            once == #"""
                client:root is __Root
                client:root.list = ["-> x\",\"id\":\"1:1","-> x:1","-> x\\:2","-> x\\:2","-> x:2","-> x:3","-> x:3"]
                x","id":"1:1 is x","id":"1
                x","id":"1:1.id = "1"
                x:1 is x
                x:1.id = "1"
                x:2 is x
                x:2.id = "2"
                x:3 is x
                x:3.id = "3"
                x\:2 is x\
                x\:2.id = "2"
                """#)
        #expect(try Self.dump(plan, [body, body]) == once)
    }

    /// One list has more types than are remembered, in turn; each object keeps its own type.
    @Test func anyNumberOfTypesInOneListAreToldApart() throws {
        let store = Store()
        let operation = store.bind(Self.artifact("{list:[*I]{id:ID!}}"), variables: .object([]))
        let items = (0..<200).map { #"{"__typename":"T\#($0 % 40)","id":"\#($0 / 2)"}"# }
        for _ in 0..<3 {
            try store.write(#"{"data":{"list":[\#(items.joined(separator: ","))]}}"#, for: operation)
            guard case .links(let links)? = store.records.value(store.names.key("list"), of: .root) else {
                Issue.record("the list is no list of links")
                return
            }
            let ids = links.map { store.names.dataID(of: $0).rawValue }
            #expect(ids == (0..<200).map { "T\($0 % 40):\($0 / 2)" })
            for (index, link) in links.enumerated() {
                #expect(store.names.name(of: store.records.type(of: link)) == "T\(index % 40)")
                guard case .string(let id)? = store.records.value(store.names.idKey, of: link) else {
                    Issue.record("\(link) has no id")
                    return
                }
                #expect(id == "\(index / 2)")
            }
        }
    }
}
