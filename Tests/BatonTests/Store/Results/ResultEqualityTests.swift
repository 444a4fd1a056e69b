// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Testing

@testable import Baton

/// Two results are equal if what they show is equal, also if their plans differ.
@Suite struct ResultEqualityTests {
    private func artifact(_ plan: String) -> GeneratedCode.OperationArtifact {
        GeneratedCode.OperationArtifact(
            name: "Q", kind: .query, text: "", normalization: plan, reader: plan,
            scalars: [GeneratedCode.ScalarDecoder("Day", Day.self)])
    }

    private func read(_ artifact: GeneratedCode.OperationArtifact, _ answer: String, x: Bool) throws -> AnyData {
        let store = Store()
        let operation = store.bind(artifact, variables: .object([.init("x", .bool(x))]))
        try store.write(answer, for: operation)
        return try #require(store.read(AnyData.self, of: operation).data)
    }

    // MARK: - Errors that are caught as null

    /// Under a false condition no children are bound, so that the selection sets behind it have other numbers.
    @Test(arguments: [
        ("date:@Day@catch(NULL)", #""date":null"#), ("tags:[String!]@catch(NULL)", #""tags":null"#),
        ("name:String@catch(NULL)", #""name":null"#), ("one:+T@catch(NULL){n:Int}", #""one":null"#),
    ])
    func whatWasCaughtAsNullIsEqualToNullInOtherPlans(_ field: String, _ value: String) throws {
        let artifact = artifact("(x){[x]a:+T{n:Int o:+T{n:Int m:Int}} b:+T{id:ID! \(field)}}")
        let key = field.prefix { $0 != ":" }
        func answer(_ value: String, isError: Bool = false) -> String {
            let errors = isError ? #","errors":[{"message":"e","path":["b","\#(key)"]}]"# : ""
            return #"{"data":{"a":null,"b":{"id":"1",\#(value)}}\#(errors)}"#
        }
        let full =
            switch key {
            case "date": #""date":"1977-05""#
            case "tags": #""tags":["t"]"#
            case "name": #""name":"n""#
            default: #""one":{"n":1}"#
            }
        for x in [false, true] {
            let caught = try read(artifact, answer(value, isError: true), x: x)
            let null = try read(artifact, answer(value), x: !x)
            let other = try read(artifact, answer(full), x: !x)
            #expect(caught == null && null == caught)
            #expect(caught.hashValue == null.hashValue)
            #expect(caught != other && other != caught)
        }
    }

    // MARK: - Kinds of numbers

    /// An update and a response may keep the same number in different kinds.
    @Test func whatIsShownAlikeIsEqualHoweverItIsKept() throws {
        let artifact = artifact(
            "{one:+T{id:ID! rating:Float code:ID numbers:[Float] tags:[String] size:Int meta:%JSON}}")
        let answer =
            #"{"data":{"one":{"id":"1","rating":5,"code":7,"numbers":[1,2.5],"tags":[],"size":3,"meta":[1,2]}}}"#
        let store = Store()
        let operation = store.bind(artifact, variables: .object([]))
        try store.write(answer, for: operation)
        let before = try #require(store.read(AnyData.self, of: operation).data)
        func changed(_ name: String, to value: JSONValue) throws -> AnyData {
            try store.update { try $0.get("1")?.setValue(value, forField: name) }
            return try #require(store.read(AnyData.self, of: operation).data)
        }
        for (name, same, other) in [
            ("rating", JSONValue.int(5), JSONValue.double(5.5)), ("rating", .double(5), .int(6)),
            ("code", .int(7), .string("8")), ("code", .string("7"), .int(8)),
            ("numbers", .array([.double(1), .double(2.5)]), .array([.int(1), .int(2)])),
            ("tags", .array([]), .array([.string("t")])), ("size", .int(3), .int(4)),
            ("meta", .array([.int(1), .int(2)]), .array([.string("1"), .int(2)])),
            ("meta", .string("[1,2]"), .array([])),
        ] {
            let equal = try changed(name, to: same)
            #expect(equal == before && before == equal && equal.hashValue == before.hashValue, "\(name)")
            let different = try changed(name, to: other)
            #expect(different != before && before != different, "\(name)")
            _ = try changed(name, to: same)
        }
    }

    // MARK: - Spreads

    /// A spread that applies is part of what is shown, and it shows a record. A spread that does not apply shows
    /// nothing.
    @Test func recordsThatShowTheSameAreEqualIfNoSpreadApplies() throws {
        let plan = "(x){all:[*C]{name:String ~OfDroid<Droid> [x]~HeroName}}"
        func droid(_ id: String) -> String { #"{"__typename":"Droid","id":"\#(id)","name":"n"}"# }
        func human(_ id: String) -> String { #"{"__typename":"Human","id":"\#(id)","name":"n"}"# }
        let answer = #"{"data":{"all":[\#([human("1"), human("2"), droid("3"), droid("4")].joined(separator: ","))]}}"#
        let normalization = "(x){all:[*C]{id:ID! name:String}}"
        let store = Store()
        let artifact = GeneratedCode.OperationArtifact(
            name: "Q", kind: .query, text: "", normalization: normalization, reader: plan)
        func elements(x: Bool, in store: Store) throws -> [AnyData] {
            let operation = store.bind(artifact, variables: .object([.init("x", .bool(x))]))
            try store.write(answer, for: operation)
            let list = try #require(store.read(AnyData.self, of: operation).data?.__row.list(of: 0))
            return (0..<list.count).compactMap { list.row($0).map(AnyData.init) }
        }
        let (without, with) = (try elements(x: false, in: store), try elements(x: true, in: store))
        let others = try elements(x: false, in: Store())
        // A human shows a name, with one plan or another.
        for human in [without[1], others[0], others[1]] {
            #expect(without[0] == human && human == without[0])
            #expect(without[0].hashValue == human.hashValue)
        }
        // A droid has a reference to a record of its store.
        for droid in [without[3], others[2], others[3]] { #expect(without[2] != droid && droid != without[2]) }
        #expect(without[2] == without[2] && without[2] != without[0])
        // So has everything with an included spread.
        #expect(with[0] != with[1] && with[0] != without[0] && without[0] != with[0])
        #expect(with[0] == with[0])
    }
}
