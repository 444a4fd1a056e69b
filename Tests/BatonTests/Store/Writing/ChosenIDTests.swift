import RandomCases
import Testing

@testable import Baton

/// A data ID function reads the scalar fields of an object from the bytes of its response, as long as the function
/// runs.
@Suite struct ChosenIDTests {
    private static let plan =
        "{item:Item{alias=slug:String number(of:3):Int ratio:Float flag:Boolean tags:[String] part:Part{slug:String} id:ID!}}"
    private static let artifact = GeneratedCode.OperationArtifact(
        name: "L", kind: .query, text: "", normalization: plan, reader: plan)

    /// Returns the fields of the item that a function reads under some names.
    private static func seen(_ item: String, _ names: [String]) throws -> [JSONValue?] {
        let found = Guarded<[JSONValue?]>([])
        let store = Store(dataID: { type, fields in
            if type == "Item" {
                let values = names.map { fields[$0] }
                found.withLock { $0 = values }
            }
            return nil
        })
        try store.write(#"{"data":{"item":\#(item)}}"#, for: store.bind(artifact, variables: .object([])))
        return found.withLock { $0 }
    }

    @Test func fieldsAreFoundByNameWhereverTheyStand() throws {
        let names = ["id", "slug", "number(of:3)", "ratio", "flag", "alias", "unknown", "__typename", "id"]
        let values: [JSONValue?] = ["1", "a \"b\"", 4, .double(0.5), true, nil, nil, nil, "1"]
        let forms = [
            #"{"alias":"a \"b\"","number":4,"ratio":0.5,"flag":true,"tags":["x"],"part":{"slug":"y"},"id":"1"}"#,
            #"{"__typename":"Item","id":"1","part":{"slug":"y"},"flag":true,"ratio":0.5,"number":4,"alias":"a \"b\""}"#,
            #"{ "unknown" : [{}] , "\u0069d" : "\u0031" , "alias":"a \"b\"","number":4,"ratio":0.5,"flag":true }"#,
        ]
        for form in forms { #expect(try Self.seen(form, names) == values, "\(form)") }
    }

    @Test func listsAndObjectsAreNotThereAndNullIsNull() throws {
        let item = #"{"alias":null,"tags":["x"],"part":{"slug":"y"},"id":"1"}"#
        #expect(try Self.seen(item, ["tags", "part", "slug", "flag"]) == [nil, nil, .null, nil])
        #expect(try Self.seen("{}", ["id"]) == [nil])
        let fields = DataID.Fields(.object([.init("a", 1), .init("b", .array([])), .init("c", .object([]))]))
        #expect([fields["a"], fields["b"], fields["c"], fields["d"]] == [1, nil, nil, nil])
    }

    @Test func whatIsKeptLongerHasNoFields() throws {
        final class Keeper: @unchecked Sendable { var fields: [DataID.Fields] = [] }
        let keeper = Keeper()
        let store = Store(dataID: { _, fields in
            #expect(keeper.fields.allSatisfy { $0["id"] == nil })
            keeper.fields.append(fields)
            return nil
        })
        let list = GeneratedCode.OperationArtifact(
            name: "L", kind: .query, text: "", normalization: "{list:[Item]{id:ID!}}", reader: "{}")
        try store.write(
            #"{"data":{"list":[{"id":"1"},{"id":"2"},{"id":"3"}]}}"#, for: store.bind(list, variables: .object([])))
        #expect(keeper.fields.count == 3)
        #expect(keeper.fields.allSatisfy { $0["id"] == nil })
    }

    /// Two objects that the application identifies as one keep the `id` that came last.
    @Test func aLinkTellsTheIDOfARecordWhoseIdentityIsAnother() throws {
        let plan = "{item:Item{id:ID! slug:String} links:[Item]{id:ID!}}"
        let artifact = GeneratedCode.OperationArtifact(
            name: "L", kind: .query, text: "", normalization: plan, reader: plan)
        let store = Store(dataID: { _, _ in "one" })
        let operation = store.bind(artifact, variables: .object([]))
        try store.write(#"{"data":{"item":{"id":"1","slug":"s"},"links":[{"id":"1"},{"id":"1"}]}}"#, for: operation)
        #expect(store.dump().contains(#"one.id = "1""#))
        try store.write(#"{"data":{"links":[{"id":"1"},{"id":"2"}]}}"#, for: operation)
        #expect(store.dump().contains(#"one.id = "2""#))
        try store.write(#"{"data":{"links":[{"id":"2"},{"id":"1"}],"item":{"id":"3","slug":"t"}}}"#, for: operation)
        #expect(store.dump().contains(#"one.id = "3""#))
        #expect(store.checkInvariants() == [])
    }

    private static let links = "item:Item{id:ID! slug:String} other:Item{slug:String id:ID!} links:[Item]{id:ID!}"
    private static let list = GeneratedCode.OperationArtifact(
        name: "L", kind: .query, text: "", normalization: "{\(links) list:[Item]{\(links) id:ID! slug:String}}",
        reader: "{\(links) list:[Item]{\(links) id:ID! slug:String}}")

    @Test func whoAsksForTheIDAloneIsNotAskedAgainForIt() throws {
        let calls = Guarded<[String]>([])
        let store = Store(dataID: { type, fields in
            guard case .string(let id)? = fields["id"] else { return nil }
            calls.withLock { $0.append(id) }
            return DataID("\(type)/\(id)")
        })
        let operation = store.bind(Self.list, variables: .object([]))
        let first = #"{"item":{"id":"1","slug":"s"},"links":[{"id":"1"},{"id":"2"},{"id":"1"},{"id":"2"}]}"#
        try store.write(#"{"data":\#(first)}"#, for: operation)
        // At each place in the plan the first object shows the prefix of the `id`.
        #expect(calls.withLock { $0 } == ["1", "1", "2"])
        try store.write(#"{"data":\#(first)}"#, for: operation)
        #expect(calls.withLock { $0 } == ["1", "1", "2", "1", "1"])
        #expect(store.dump().contains(#"Item/2.id = "2""#))
        #expect(store.checkInvariants() == [])
    }

    @Test func whoAsksForAnythingElseIsAskedForEachObject() throws {
        let calls = Guarded(0)
        let store = Store(dataID: { type, fields in
            calls.withLock { $0 += 1 }
            guard fields["slug"] == nil, case .string(let id)? = fields["id"] else { return "other" }
            return DataID("\(type)/\(id)")
        })
        let operation = store.bind(Self.list, variables: .object([]))
        try store.write(#"{"data":{"item":{"id":"1"},"links":[{"id":"1"},{"id":"1"}]}}"#, for: operation)
        #expect(calls.withLock { $0 } == 3)
        try store.write(#"{"data":{"item":{"id":"1","slug":"s"},"links":[{"id":"1"}]}}"#, for: operation)
        #expect(calls.withLock { $0 } == 5)
        #expect(store.dump().contains(#"other.slug = "s""#))
    }

    /// Rules for identities by type and `id`, usual ones and odd ones.
    private static func rule(_ number: Int, _ type: TypeName, _ id: String) -> DataID? {
        switch number {
        case 0: "\(type):\(id)"
        case 1: "a:\(id)"
        case 2: DataID(id)
        case 3: id.utf8.count % 2 == 0 ? nil : "x\(id)"
        case 4: id.isEmpty ? nil : "one"
        case 5: DataID(String(repeating: "x", count: id.utf8.count % 3) + id)
        default: id.hasPrefix("a") ? DataID(id) : "a:\(id)"
        }
    }

    /// The records are the same whether or not the normalizer can tell that the `id` decides.
    @Test(arguments: RandomCases.seeds(14))
    func theSameRecordsAsIfEachWereAskedFor(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let ids = [
            "1", "a", "a:1", ":1", "a:a:1", "", "\\u0061", "xx1", "x1", "\u{fc}", "\\n",
            String(repeating: "long", count: 9),
        ]
        let known = Store(dataID: { type, fields in
            guard case .string(let id)? = fields["id"] else { return nil }
            return Self.rule(seed % 7, type, id)
        })
        let asked = Store(dataID: { type, fields in
            guard fields["nothing"] == nil, case .string(let id)? = fields["id"] else { return nil }
            return Self.rule(seed % 7, type, id)
        })
        func object(_ depth: Int) -> String {
            func link(_ name: String?, _ members: [String]) -> String {
                var members = members
                if Bool.random(using: &random) { members.reverse() }
                return (name.map { #""\#($0)":"# } ?? "") + "{\(members.joined(separator: ","))}"
            }
            func id() -> String { #""id":"\#(ids.randomElement(using: &random) ?? "")""# }
            func slug() -> String { #""slug":"\#(Int.random(in: 0...2, using: &random))""# }
            let links = (0..<Int.random(in: 0...4, using: &random)).map { _ in link(nil, [id()]) }
            var members = [link("item", [id(), slug()]), link("other", [slug(), id()])]
            members.append(#""links":[\#(links.joined(separator: ","))]"#)
            if depth == 0 {
                let items = (0..<3).map { _ in object(1) }
                members.append(#""list":[\#(items.joined(separator: ","))]"#)
            } else {
                members += [id(), slug()]
            }
            return "{\(members.joined(separator: ","))}"
        }
        for _ in 0..<6 {
            let body = #"{"data":\#(object(0))}"#
            for store in [known, asked] {
                try store.write(body, for: store.bind(Self.list, variables: .object([])))
                #expect(store.checkInvariants() == [])
            }
            #expect(known.dump() == asked.dump(), "\(body)")
        }
    }

    /// Malformed JSON is refused, even in places that the function does not read.
    @Test(arguments: [#"{"id":tru}"#, #"{"id" "1"}"#, #"{"slug":"\x","id":"1"}"#, #"{"id":"1""#])
    func brokenAnswersAreRefused(item: String) {
        #expect(throws: RelayError.InvalidResponse.self) { try Self.seen(item, ["id", "slug"]) }
    }
}
