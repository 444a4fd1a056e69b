// swift-format-ignore-file: AlwaysUseLowerCamelCase

import RandomCases
import Testing

@testable import Baton

/// Results that are made by hand, as generated initializers make them.
@Suite struct MadeDataTests {
    typealias Item = GeneratedCode.MadeItem

    // MARK: - The model

    /// Makes each object of a result again, from the innermost to the outermost.
    private struct Remaker {
        let artifact: GeneratedCode.OperationArtifact

        func row(_ row: GeneratedCode.Row, at path: [Int], isAbstract: Bool) -> GeneratedCode.Row {
            let items = row.made.enumerated().map { field, content in
                let index = row.item(field)
                let item = row.shelf.plan.items[index]
                let isAbstract =
                    item.kind == .inline
                    ? item.isAbstract || item.condition == nil : row.shelf.plan.types[index].isAbstract
                return Item(self.content(content, at: path + [field], isAbstract: isAbstract))
            }
            return GeneratedCode.Row(made: artifact, at: path, typename: isAbstract ? row.typename : nil, items)
        }

        private func content(_ content: Item.Content, at path: [Int], isAbstract: Bool) -> Item.Content {
            switch content {
            case .object(let row): .object(self.row(row, at: path, isAbstract: isAbstract))
            case .list(let elements): .list(elements.map { self.content($0, at: path, isAbstract: isAbstract) })
            case .nothing, .leaf, .reference, .caught: content
            }
        }
    }

    @Test(arguments: RandomCases.seeds(8)) func whatIsMadeIsEqualToWhatIsRead(_ seed: Int) throws {
        var last: AnyData?
        try JSONOfDataTests.results(seed) { data, plan, variables, items in
            let artifact = JSONOfDataTests.artifact(plan)
            let made = AnyData(__row: Remaker(artifact: artifact).row(data.__row, at: [], isAbstract: false))
            #expect(made == data && data == made, "\(plan)")
            #expect(made.hashValue == data.hashValue, "\(plan)")
            #expect(made.json(items, types: true) == data.json(items, types: true), "\(plan)")
            #expect(String(reflecting: Mirror(reflecting: made).children.count) != "0")
            // A store that has changed, or another plan, gives other data.
            if let last, last != data { #expect(last != made && made != last) }
            last = made
            // What was made goes through JSON, too.
            let store = Store()
            let operation = store.bind(artifact, variables: variables)
            let body = JSONValue.object([.init("data", JSONValue(made))]).text
            try store.write(body, for: operation)
            #expect(store.read(AnyData.self, of: operation).data == data, "\(plan) \(body)")
        }
    }

    @Test func aLongListIsEqualToOneOnShelves() throws {
        let store = Store()
        let plan = "{all:[+A]!{id:ID! n:Int}}"
        let operation = store.bind(JSONOfDataTests.artifact(plan), variables: .object([]))
        let items = (0..<1000).map { $0 % 100 == 99 ? "null" : #"{"id":"\#($0)","n":\#($0)}"# }
        try store.write(#"{"data":{"all":[\#(items.joined(separator: ","))]}}"#, for: operation)
        let data = try #require(store.read(AnyData.self, of: operation).data)
        let remaker = Remaker(artifact: JSONOfDataTests.artifact(plan))
        let made = AnyData(__row: remaker.row(data.__row, at: [], isAbstract: false))
        #expect(made == data && data == made && made.hashValue == data.hashValue)
        try store.write(#"{"data":{"all":[\#(items.dropLast().joined(separator: ","))]}}"#, for: operation)
        #expect(try #require(store.read(AnyData.self, of: operation).data) != made)
    }

    // MARK: - By hand

    private func friend(_ name: String?) -> People.Data.Friend {
        .init(__row: .init(made: Self.people, at: [0, 2], [.leaf(name)]))
    }

    private static let people = People.artifact(
        "{user:+User{name:String email:String best:+User{name:String} friends:[+User]{name:String}}}")

    private func data(_ name: String?, best: String?, friends: [String?]) -> People.Data {
        let list = ObjectList(friends.map { name in name.map { friend($0) } })
        let user = People.Data.User(
            __row: .init(
                made: Self.people, at: [0],
                [.leaf(name), .leaf(nil as String?), .object(best.map { friend($0) }), .objects(list)]))
        return People.Data(__row: .init(made: Self.people, [.object(user)]))
    }

    @Test func madeDataIsLikeAnyOther() throws {
        let made = data("A", best: "B", friends: ["C", nil])
        #expect(made.user?.name == "A" && made.user?.email == nil && made.user?.best?.name == "B")
        #expect(made.user?.friends?.map { $0?.name } == ["C", nil])
        let store = Store()
        try store.write(
            People.answer(FieldErrorTests.full.replacing(#""name":null"#, with: #""name":"B""#)),
            for: store.bind(People.artifact("{}"), variables: .object([])))
        let read = try #require(store.read(People.Data.self, Self.people).data)
        #expect(made == read && read == made)
        #expect(data("A", best: "X", friends: ["C", nil]) != read)
        #expect(data("A", best: nil, friends: ["C", nil]) != read)
        #expect(data("A", best: "B", friends: ["C"]) != read)
        var (text, other) = ("", "")
        dump(made, to: &text)
        dump(read, to: &other)
        #expect(text == other && text.contains("email"))
        // Objects of a store may stand in what is made, and the other way round nothing is lost.
        let mixed = People.Data(__row: .init(made: Self.people, [.object(read.user)]))
        #expect(mixed == read)
    }

    @Test func caughtErrorsAreMade() throws {
        let artifact = People.artifact(People.Caught.plan)
        let error = FieldError(.missingData, path: ["user", "email"], component: "PersonQuery")
        let email = FieldResult<String?>.failure([error])
        let best = FieldResult<People.Data.Friend?>.success(nil)
        let named = People.Caught.Named(__row: .init(made: artifact, at: [0, 3], [.leaf("A")]))
        let user = People.Caught.User(
            __row: .init(
                made: artifact, at: [0],
                [
                    .result(email) { .leaf($0) }, .result(best) { .object($0) },
                    .objects(nil as ObjectList<People.Data.Friend?>?),
                    .result(FieldResult<People.Caught.Named?>.success(named)) { .object($0) },
                    .result(FieldResult<String>.success("A")) { .leaf($0) },
                ]))
        #expect(user.email == email && user.best == best && user.friends == nil)
        #expect(user.named.value??.name == "A" && user.name == .success("A"))
        let again = People.Caught(__row: .init(made: artifact, [.object(user)]))
        #expect(again.user == user)
        #expect(JSONValue(again)["user"]?["email"] == .null)
    }

    /// The value that goes in comes out, whatever its conversion makes of it.
    @Test func mappedScalarsAreKept() {
        enum Rounded: ScalarConversion {
            static func decode(_ json: JSONValue) throws -> Double { throw CancellationError() }
            static func encode(_ value: Double) -> JSONValue { .int(Int(value)) }
        }
        let artifact = GeneratedCode.OperationArtifact(
            name: "R", kind: .query, text: "", normalization: "{}",
            reader: "{one:@Rounded! more:[[@Rounded]!] none:@Rounded}",
            scalars: [GeneratedCode.ScalarDecoder("Rounded", Rounded.self)])
        let more: [[Double?]]? = [[1.5, nil], []]
        let row = GeneratedCode.Row(
            made: artifact,
            [
                .scalar(0.25, Rounded.self), .list(more) { .list($0) { .scalar($0, Rounded.self) } },
                .scalar(nil, Rounded.self),
            ])
        #expect(row.scalar(0, Rounded.self) == 0.25)
        let read = row.optionalList(1) { $0.list { $0.optionalScalar(Rounded.self) } }
        #expect(read == more)
        #expect(row.optionalScalar(2, Rounded.self) == nil)
    }

    // MARK: - References

    /// A fragment with everything that a reference has to carry: a condition, arguments, a list, an abstract condition
    /// and a fragment of its own.
    private enum Outer: GraphQLFragment {
        static let artifact = GeneratedCode.FragmentArtifact(
            name: "Outer", typeCondition: "Hero",
            reader:
                "{name(n:$n):String [with]age:Int films:[[*Film!]]{title:String! <*Long>{minutes:Int!} ~Inner<*Long>} ~Inner}"
        )

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var name: String? { __row.optionalString(0) }
            var age: Int? { __row.optionalInt(1) }
            var films: ObjectList<ObjectList<Film>?>? { __row.optionalObjects(2) }
            var inner: FragmentReference<Inner> { __row.fragment(3) }

            struct Film: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var title: String { __row.string(0) }
                var asLong: AsLong? { __row.inlineFragment(1) }
                var inner: FragmentReference<Inner>? { __row.optionalFragment(2) }
            }

            struct AsLong: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var minutes: Int { __row.int(0) }
            }
        }
    }

    private enum Inner: GraphQLFragment {
        static let artifact = GeneratedCode.FragmentArtifact(
            name: "Inner", typeCondition: "Hero", reader: "{secret:String}")

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var secret: String? { __row.optionalString(0) }
        }
    }

    private func inner(_ secret: String) -> Inner.Data { .init(__row: .init(made: Inner.artifact, [.leaf(secret)])) }

    private func film(_ title: String, _ minutes: Int?) -> Outer.Data.Film {
        let long = minutes.map {
            Outer.Data.AsLong(__row: .init(made: Outer.artifact, at: [2, 1], [.leaf($0)]))
        }
        return .init(
            __row: .init(
                made: Outer.artifact, at: [2], typename: minutes == nil ? "Short" : "Epic",
                [.leaf(title), .object(long), .optionalFragment(Inner.self, long.map { _ in inner(title) })]))
    }

    @Test func aComponentReadsAFragmentThatWasMade() throws {
        let films: ObjectList<ObjectList<Outer.Data.Film>?> = [[film("L", 200), film("S", nil)], nil, []]
        let outer = Outer.Data(
            __row: .init(
                made: Outer.artifact, [.leaf("A"), .leaf(7), .objects(films), .fragment(Inner.self, inner("x"))]))
        let artifact = GeneratedCode.OperationArtifact(
            name: "Q", kind: .query, text: "", normalization: "{}", reader: "{~Outer}")
        let data = AnyData(__row: .init(made: artifact, [.fragment(Outer.self, outer)]))
        let reference: FragmentReference<Outer> = data.__row.fragment(0)
        #expect(!reference.dataID.rawValue.isEmpty)
        for _ in 0..<2 {
            let read = try #require(FragmentHandle(reference).get().data)
            #expect(read.name == "A" && read.age == 7)
            #expect(read.films?.map { $0?.map(\.title) } == [["L", "S"], nil, []])
            #expect(read.films?.first??.map(\.asLong?.minutes) == [200, nil])
            #expect(FragmentHandle(read.inner).get().data?.secret == "x")
            let secrets = read.films?.first??.map { $0.inner.flatMap { FragmentHandle($0).get().data?.secret } }
            #expect(secrets == ["L", nil])
        }
        // The references of what was made itself work as well.
        #expect(FragmentHandle(outer.inner).get().data?.secret == "x")
        // A copy in another object keeps them.
        let copy = Outer.Data(
            __row: .init(
                made: Outer.artifact,
                [.leaf("B"), .leaf(nil as Int?), .objects(outer.films), .fragment(Inner.self, nil)]))
        let first = try #require(copy.films?.first??.first?.inner)
        #expect(FragmentHandle(first).get().data?.secret == "L")
        #expect(FragmentHandle(copy.inner).get().data?.secret == nil)
        #expect(copy.films == outer.films && copy != outer && outer == outer)
    }

    @Test func dataOfAStoreMayBeAFragmentsData() async throws {
        let stage = Stage()
        try await stage.seed(People.OpenCardQuery(), People.answer(FieldErrorTests.full))
        let handle = QueryHandle<People.OpenCardQuery>(in: stage.environment, fetchPolicy: .storeOnly)
        let reference = try #require(handle.get(.init()).data?.user?.card)
        let card = try #require(stage.environment.read(reference))
        let user = People.OpenCardQuery.Data.User(
            __row: .init(
                made: People.OpenCardQuery.artifact, at: [0], [.fragment(People.Card.self, card), .leaf("made")]))
        #expect(user.name == "made")
        #expect(stage.environment.read(user.card) == card)
        #expect(user.card == reference)
        try stage.environment.update { try $0.get("1")?.setValue("Ann", forField: "name") }
        #expect(FragmentHandle(user.card).get().data?.name == "Ann")
    }
}
