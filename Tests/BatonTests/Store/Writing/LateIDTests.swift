import RandomCases
import Testing

@testable import Baton

/// Objects whose `id` comes after other fields are compared with a guessed record. Nothing but the time may depend on
/// where the `id` stands.
@Suite struct LateIDTests {
    /// Two stores get the same responses, one with the `id` first and one with the `id` anywhere. The lists change as
    /// real ones do: items are added, removed, moved and exchanged, and some have no `id`.
    @Test(arguments: RandomCases.seeds(8, from: 0 as UInt64))
    func thePlaceOfTheIDChangesNothing(seed: UInt64) throws {
        var world = World(random: SeededGenerator(seed: seed))
        let stores = [Store(), Store()]
        let operations = zip(stores, [0, Int(seed % 4)]).map { $0.bind(Self.artifact(idAt: $1), variables: [:]) }
        var waiting: [[StagedResponse]] = []
        for step in 0..<30 {
            world.change()
            let answer = world.answer()
            let bodies = [answer, world.withLateIDs(answer)].map { JSONValue.object([.init("data", $0)]).jsonBytes }
            waiting.append(
                try zip(zip(stores, operations), bodies).map { try $0.0.normalize($1, for: $0.1) })
            if world.chance(30) {
                let id = DataID("\(world.number(World.count))")
                for store in stores { try store.update { try $0.get(id)?.setValue(.int(step), forField: "n") } }
            }
            if world.chance(10) {
                let id = DataID("\(world.number(World.count))")
                for store in stores { try store.update { try $0.delete(id) } }
            }
            // Some answers are read before others are published.
            guard world.chance(70) else { continue }
            for responses in waiting {
                let changed = zip(zip(stores, operations), responses).map {
                    $0.0.publish($1, for: $0.1).recordsChanged
                }
                #expect(changed[0] == changed[1], "seed \(seed), step \(step)")
            }
            waiting = []
            let lines = stores.map { Set($0.dump().split(separator: "\n")) }
            #expect(lines[0].subtracting(lines[1]) == [], "seed \(seed), step \(step)")
            #expect(lines[1].subtracting(lines[0]) == [], "seed \(seed), step \(step)")
            #expect(stores.map { $0.checkInvariants() } == [[], []])
        }
    }

    /// The plan with the `id` at a position of each object's fields.
    private static func artifact(idAt position: Int) -> GeneratedCode.OperationArtifact {
        func selections(_ fields: [String], _ id: String) -> String {
            var fields = fields
            fields.insert(id, at: min(position, fields.count))
            return "{\(fields.joined(separator: " "))}"
        }
        let other = selections(["m:Int", "q:Q{y:Int}"], "id:ID")
        let item = selections(
            [
                "n:Int", "s:String", "other:C\(other)", "p:P{x:Int others:[C]\(other) ps:[P]{x:Int}}",
                "links:[+A]{id:ID!}", "others:[C]\(other)", "grid:[[C]]\(other)", "i:Int",
            ], "id:ID!")
        let plan = "{list:[+A]\(item) first:+A\(item) link:+A{id:ID!}}"
        return .init(name: "L", kind: .query, text: "", normalization: plan, reader: plan)
    }

    /// A list of objects that changes.
    private struct World {
        static let count = 24

        var random: SeededGenerator
        var items: [Int] = []
        var versions: [Int: Int] = [:]

        mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
        mutating func chance(_ percent: Int) -> Bool { number(100) < percent }

        mutating func change() {
            switch number(9) {
            case 0: items = (0..<number(20)).map { _ in number(Self.count) }
            case 1: items.shuffle(using: &random)
            case 2: items.insert(number(Self.count), at: 0)
            case 3: if !items.isEmpty { items.remove(at: number(items.count)) }
            case 4: items.append(contentsOf: (0..<3).map { _ in number(Self.count) })
            case 5: items.reverse()
            case 6: if !items.isEmpty { items[number(items.count)] = number(Self.count) }
            case 7: versions[number(Self.count), default: 0] += 1
            default: break
            }
        }

        mutating func answer() -> JSONValue {
            let list: [JSONValue] = items.map { chance(3) ? .null : item($0) }
            return [
                "list": .array(list), "first": items.first.map { item($0) } ?? .null,
                "link": ["id": .string("\(number(Self.count))")],
            ]
        }

        private mutating func item(_ number: Int) -> JSONValue {
            var object = SeededGenerator(seed: UInt64(number * 1000 + versions[number, default: 0]))
            func value(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &object) }
            func other() -> JSONValue {
                let id: JSONValue = value(3) == 0 ? .null : .string("\(value(3))")
                var members: [JSONValue.Member] = [.init("m", .int(value(2))), .init("q", ["y": .int(value(2))])]
                if value(8) > 0 { members.insert(.init("id", id), at: 0) }
                return .object(members)
            }
            let others: [JSONValue] = (0..<value(3)).map { _ in other() }
            let inner: [JSONValue] = (0..<value(3)).map { _ in other() }
            let links: [JSONValue] = (0..<value(4)).map { _ in ["id": .string("\(value(Self.count))")] }
            let p: JSONValue = ["x": .int(value(2)), "others": .array(inner), "ps": [["x": .int(value(2))], .null]]
            var members: [JSONValue.Member] = [
                .init("n", .int(value(2))), .init("s", .string(["", "some text", "\"quoted\" text"][value(3)])),
                .init("other", value(5) == 0 ? .null : other()), .init("p", p), .init("links", .array(links)),
                .init("others", .array(others)), .init("grid", [[other()], [], [other(), .null]]),
                .init("i", .int(value(2))),
            ]
            // Odd identifiers: none, several, the root's, and one that must be escaped.
            let ids: [JSONValue] =
                switch self.number(40) {
                case 0: []
                case 1: [.string("\(number)"), .string("7")]
                case 2: ["client:root", .string("\(number)")]
                case 3: ["client:root"]
                case 4: ["quote\"d"]
                case 5: [.int(number)]
                case 6: [.string("\(self.number(Self.count))")]
                default: [.string("\(number)")]
                }
            members.insert(contentsOf: ids.map { .init("id", $0) }, at: 0)
            return .object(members)
        }

        /// Moves each `id` behind other members. The order of several stays.
        mutating func withLateIDs(_ value: JSONValue) -> JSONValue {
            switch value {
            case .object(let members):
                var ids = members.filter { $0.name == "id" }[...]
                var others = members.filter { $0.name != "id" }.map { member in
                    JSONValue.Member(member.name, withLateIDs(member.value))
                }[...]
                let isLast = chance(60)
                var result: [JSONValue.Member] = []
                while !ids.isEmpty || !others.isEmpty {
                    let takesID = !ids.isEmpty && (others.isEmpty || !isLast && chance(25))
                    if let next = takesID ? ids.popFirst() : others.popFirst() { result.append(next) }
                }
                return .object(result)
            case .array(let values): return .array(values.map { withLateIDs($0) })
            default: return value
            }
        }
    }
}
