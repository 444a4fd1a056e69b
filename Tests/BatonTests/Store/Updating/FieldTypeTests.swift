import Testing

@testable import Baton

/// An update cannot write what no reader could take.
@Suite(.timeLimit(.minutes(20))) struct FieldTypeTests {
    private struct Day: Sendable, Hashable {
        let text: String
    }

    private enum Days: ScalarConversion {
        static func decode(_ json: JSONValue) throws -> Day {
            switch json {
            case .string(let text) where text.hasPrefix("day "): return Day(text: text)
            case .object(let members) where members.first?.name == "day": return Day(text: json.text)
            default: throw UpdateError.root
            }
        }
        static func encode(_ value: Day) -> JSONValue { .string(value.text) }
    }

    private static let plan = """
        {me:+U{id:ID! name:String rank:Int! score:Float open:Boolean! mood:#Mood born:@Day born2:@Day! raw:%JSON \
        tags:[String!] grid:[[Int]!] days:[@Day] best:+U{id:ID!} boss:+U!{id:ID!} friends:[+U!]{id:ID!} \
        maybe:[+U]{id:ID!} rows:[[+U!]!]{id:ID!}} any:+*Node{id:ID! <*Named>{title:String! alias:String} <Film>{title:String! year:Int}}}
        """
    private static let operation = GeneratedCode.OperationArtifact(
        name: "Typed", kind: .query, text: "", normalization: plan, reader: plan,
        scalars: [.init("Day", Days.self)])
    private static let answer = """
        {"data":{"me":{"id":"me","name":"Ada","rank":1,"score":1.5,"open":true,"mood":"GOOD","born":"day 1","born2":"day 2",\
        "raw":{"a":1},"tags":["a"],"grid":[[1,null]],"days":["day 1",null],"best":{"id":"a"},"boss":{"id":"b"},\
        "friends":[{"id":"a"},{"id":"b"}],"maybe":[null,{"id":"a"}],"rows":[[{"id":"a"}]]},\
        "any":{"__typename":"Film","__isNamed":"Film","id":"f","title":"Alien","alias":null,"year":1979}}}
        """

    private let stage = Stage()
    private var environment: RelayEnvironment { stage.environment }

    private func seeded() throws -> BoundOperation {
        let operation = environment.store.bind(Self.operation, variables: [:])
        environment.store.operations.retain(operation)
        try environment.store.write(Self.answer, for: operation)
        return operation
    }

    struct Case: Sendable, CustomStringConvertible {
        let field: String
        let type: String
        let value: JSONValue
        var description: String { "\(field) = \(value.text)" }
    }

    private static let wrong: [Case] = [
        .init(field: "name", type: "String", value: 3), .init(field: "name", type: "String", value: ["a"]),
        .init(field: "name", type: "String", value: .object([])), .init(field: "rank", type: "Int!", value: "3"),
        .init(field: "rank", type: "Int!", value: 3.0), .init(field: "rank", type: "Int!", value: .null),
        .init(field: "score", type: "Float", value: "1.5"), .init(field: "score", type: "Float", value: true),
        .init(field: "open", type: "Boolean!", value: 1), .init(field: "mood", type: "Mood", value: 1),
        .init(field: "born", type: "Day", value: "monday"), .init(field: "born", type: "Day", value: 4),
        .init(field: "born2", type: "Day!", value: .null), .init(field: "tags", type: "[String!]", value: "a"),
        .init(field: "tags", type: "[String!]", value: ["a", .null]),
        .init(field: "tags", type: "[String!]", value: [["a"]]),
        .init(field: "grid", type: "[[Int]!]", value: [1]), .init(field: "grid", type: "[[Int]!]", value: [.null]),
        .init(field: "grid", type: "[[Int]!]", value: [["1"]]),
        .init(field: "days", type: "[Day]", value: ["day 1", "x"]),
        .init(field: "best", type: "U", value: "a"), .init(field: "boss", type: "U!", value: .null),
        .init(field: "friends", type: "[U!]", value: ["a"]), .init(field: "id", type: "ID!", value: true),
    ]

    @Test(arguments: wrong) func aValueThatNoReaderCouldTakeIsRefused(_ one: Case) throws {
        let operation = try seeded()
        let before = environment.store.json(of: operation)
        let expected = UpdateError.wrongType("me", field: one.field, type: one.type, value: one.value.text)
        #expect(throws: expected) {
            try environment.update { try $0.get("me")?.setValue(one.value, forField: one.field) }
        }
        let failures = Guarded<[UpdateError]>([])
        let layer = environment.store.apply(
            { try $0.get("me")?.setValue(one.value, forField: one.field) },
            failed: { error in failures.withLock { $0 += [error as? UpdateError].compactMap(\.self) } })
        #expect(failures.withLock { $0 } == [expected])
        environment.store.drop(layer)
        #expect(environment.store.json(of: operation) == before)
        #expect("\(expected)".contains(one.type) && "\(expected)".contains(one.value.text))
    }

    private static let right: [Case] = [
        .init(field: "name", type: "", value: "x"), .init(field: "name", type: "", value: .null),
        .init(field: "rank", type: "", value: 3), .init(field: "score", type: "", value: 3),
        .init(field: "score", type: "", value: 2.5), .init(field: "open", type: "", value: false),
        .init(field: "mood", type: "", value: "UNHEARD_OF"), .init(field: "born", type: "", value: "day 9"),
        .init(field: "raw", type: "", value: [1, "a"]), .init(field: "raw", type: "", value: true),
        .init(field: "tags", type: "", value: []), .init(field: "tags", type: "", value: .null),
        .init(field: "grid", type: "", value: [[], [.null, 2]]),
        .init(field: "days", type: "", value: [.null, "day 3"]),
        .init(field: "maybe", type: "", value: []), .init(field: "maybe", type: "", value: [.null]),
    ]

    /// Everything that is let through can be read: no field of the object is lost.
    @Test(arguments: right) func aValueThatReadersTakeIsWritten(_ one: Case) throws {
        let operation = try seeded()
        try environment.update { try $0.get("me")?.setValue(one.value, forField: one.field) }
        let shown = try #require(environment.store.json(of: operation)["me"])
        #expect(shown["boss"]?["id"] == "b")
        if one.value != .null { #expect(shown[one.field] != .null) }
    }

    @Test func anIDMayBeGivenAsANumber() throws {
        let operation = try seeded()
        try environment.update { try $0.create("U", id: "7").setValue(7, forField: "id") }
        try environment.update { try $0.get("me")?.setLinkedRecord($0.get("U", id: "7"), forField: "best") }
        #expect(environment.store.json(of: operation)["me"]?["best"]?["id"]?.text == "7")
    }

    @Test func anObjectOfAMappedScalarIsConverted() throws {
        let operation = try seeded()
        try environment.update { try $0.get("me")?.setValue(["day": 4], forField: "born") }
        #expect(environment.store.json(of: operation)["me"]?["born"] == ["day": 4])
    }

    @Test func linksAndScalarsDoNotTakeEachOthersPlaces() throws {
        _ = try seeded()
        func refused(_ field: String, _ type: String, _ value: String, _ body: @escaping (RecordProxy) throws -> Void) {
            #expect(throws: UpdateError.wrongType("me", field: field, type: type, value: value)) {
                try environment.update { if let me = $0.get("me") { try body(me) } }
            }
        }
        refused("name", "String", #""me""#) { try $0.setLinkedRecord($0, forField: "name") }
        refused("best", "U", #"["me"]"#) { try $0.setLinkedRecords([$0], forField: "best") }
        refused("boss", "U!", "null") { try $0.setLinkedRecord(nil, forField: "boss") }
        refused("friends", "[U!]", #""me""#) { try $0.setLinkedRecord($0, forField: "friends") }
        refused("friends", "[U!]", #"["me",null]"#) { try $0.setLinkedRecords([$0, nil], forField: "friends") }
        refused("rows", "[[U!]!]", #"["me"]"#) { try $0.setLinkedRecords([$0], forField: "rows") }
        refused("tags", "[String!]", #"["me"]"#) { try $0.setLinkedRecords([$0], forField: "tags") }
        refused("name", "String", #""client:me:name""#) {
            _ = try $0.getOrCreateLinkedRecord(forField: "name", type: "U")
        }
        try environment.update { source in
            guard let me = source.get("me") else { return }
            try me.setLinkedRecord(nil, forField: "best")
            try me.setLinkedRecords([nil, me], forField: "maybe")
            try me.setLinkedRecords([], forField: "tags")
            try me.field("rows").setLinkedItems(.list([.list([.record(me)]), .list([])]))
            try me.append(me, toList: "friends")
        }
    }

    /// A field of an interface is known for the objects that answers have shown to belong to it. Of two types the wider
    /// one counts, because a reader of it exists.
    @Test func typesOfAbstractParentsCount() throws {
        _ = try seeded()
        #expect(throws: UpdateError.wrongType("f", field: "alias", type: "String", value: "3")) {
            try environment.update { try $0.get("f")?.setValue(3, forField: "alias") }
        }
        #expect(throws: UpdateError.wrongType("f", field: "title", type: "String!", value: "null")) {
            try environment.update { try $0.get("f")?.setValue(.null, forField: "title") }
        }
        // Nothing is known of this type.
        try environment.update { try $0.create("Other", id: "o").setValue(3, forField: "title") }
    }

    @Test func whatNoPlanKnowsIsToldOnce() throws {
        _ = try seeded()
        for number in 0..<3 {
            try environment.update { try $0.get("me")?.setValue(.int(number), forField: "draftOfSomething") }
            try environment.update { try $0.root.setValue("x", forField: "screen") }
        }
        let told = stage.log.events.compactMap { if case .unknownName(let event) = $0 { event.name } else { nil } }
        #expect(told == [.uncheckedField("draftOfSomething", of: "U"), .uncheckedField("screen", of: "__Root")])
    }

    @Test func anExpectedAnswerIsCheckedAsAnAnswerIs() throws {
        _ = try seeded()
        let plan = "{like:+U{id:ID! name:String rank:Int!}}"
        let mutation = environment.store.bind(
            .init(name: "Like", kind: .mutation, text: "", normalization: plan, reader: plan), variables: [:])
        for fields in [#""name":3,"rank":1"#, #""name":["a"],"rank":1"#, #""name":null,"rank":"1""#, #""rank":null"#] {
            let body = #"{"data":{"like":{"id":"me",\#(fields)}}}"#
            #expect(throws: RelayError.InvalidResponse.self) {
                _ = try environment.store.normalizeExpected(Array(body.utf8), for: mutation)
            }
        }
    }
}
