import Testing

@testable import Baton

/// A data ID function sees the scalar fields of an object in the bytes of its answer, as long as it runs.
@Suite struct ChosenIDTests {
    private static let plan =
        "{item:Item{alias=slug:String number(of:3):Int ratio:Float flag:Boolean tags:[String] part:Part{slug:String} id:ID!}}"
    private static let artifact = GeneratedCode.OperationArtifact(
        name: "L", kind: .query, text: "", normalization: plan, reader: plan)

    /// What a function sees of the item under some names.
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
        let fields = ObjectFields(.object([.init("a", 1), .init("b", .array([])), .init("c", .object([]))]))
        #expect([fields["a"], fields["b"], fields["c"], fields["d"]] == [1, nil, nil, nil])
    }

    @Test func whatIsKeptLongerHasNoFields() throws {
        final class Keeper: @unchecked Sendable { var fields: [ObjectFields] = [] }
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

    /// Two objects that the application takes for one keep the `id` that came last.
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

    /// What is no JSON is refused as ever, though the function does not see it.
    @Test(arguments: [#"{"id":tru}"#, #"{"id" "1"}"#, #"{"slug":"\x","id":"1"}"#, #"{"id":"1""#])
    func brokenAnswersAreRefused(item: String) {
        #expect(throws: ResponseError.self) { try Self.seen(item, ["id", "slug"]) }
    }
}
