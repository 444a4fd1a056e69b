import RandomCases

/// The texts of a project that a storm goes over: a schema, a configuration, and definitions that spread each other.
///
/// Most of them are valid whatever the others are, because a fragment takes nothing from operations but by arguments.
struct StormText {
    var random: SeededGenerator

    /// The number of places for definitions: `C0` to `C13`, each with a fragment and perhaps a query.
    static let slots = 14

    // MARK: - Schema and configuration

    mutating func schema() -> String {
        let nullable = random.chance(80) ? "" : "!"
        let extra = random.chance(50) ? "rating: Int" : "rating: Float @deprecated(reason: \"soon\")"
        let values = random.chance(50) ? "GOOD BAD" : "GOOD BAD UGLY"
        let reviews = random.chance(96) ? "reviews(first: Int, kind: Kind): [Review!]" : ""
        return """
            interface Node { id: ID! }
            type Film implements Node { id: ID! title: String\(nullable) year: Int \(extra) director: Person
              cast: [Person!] old: String @deprecated kind: Kind \(reviews) when: Date link(filter: Filter): Film
              people(first: Int, after: String, last: Int, before: String): PersonConnection }
            type Person implements Node { id: ID! name: String age: Int films(first: Int): [Film!] best: Film
              gone: Int @deprecated }
            type PersonConnection { edges: [PersonEdge] pageInfo: PageInfo! }
            type PersonEdge { node: Person cursor: String! }
            type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
            type Review { text: String stars: Int kind: Kind by: Person }
            union Thing = Film | Person
            enum Kind { \(values) }
            scalar Date
            input Filter { kind: Kind name: String inner: Filter more: Other }
            input Other { mood: Mood }
            enum Mood { FINE }
            type Query { film(id: ID): Film films(first: Int, filter: Filter): [Film!] person: Person things: [Thing!]
              node(id: ID!): Node }
            type Mutation { rate(stars: Int!, filter: Filter): Film }

            """
    }

    mutating func configuration() -> String {
        var entries = [
            #""schema": ["schema.graphql"]"#, #""documents": ["documents"]"#, #""output": "out""#,
            #""scalars": {"Date": "String"}"#,
        ]
        if random.chance(20) { entries.append(#""hashable": true"#) }
        if random.chance(20) { entries.append(#""exclude": ["documents/left/**"]"#) }
        if random.chance(15) { entries.append(#""persistConfig": {"file": "persisted.json"}"#) }
        if random.chance(10) {
            entries += [#""maxAge": {"Film": 60}"#, #""unstored": ["Thing", "Film.title", "C11RefetchQuery"]"#]
        }
        if random.chance(10) { entries.append(#""warnings": {"deprecated": "off"}"#) }
        return "{" + entries.joined(separator: ", ") + "}"
    }

    // MARK: - Definitions

    static func fragment(_ slot: Int) -> String { "C\(slot)_\(isOnPerson(slot) ? "person" : "film")" }
    private static func isOnPerson(_ slot: Int) -> Bool { slot % 3 == 2 }
    private static func hasArgument(_ slot: Int) -> Bool { slot % 4 == 1 }

    /// The definitions of a slot: a fragment that spreads those of later slots, and perhaps an operation.
    mutating func definitions(_ slot: Int) -> [String] {
        var result: [String] = []
        if !random.chance(1) || random.chance(70) { result.append(fragmentText(slot)) }
        if result.isEmpty || random.chance(slot % 3 == 1 ? 5 : 97) { result.append(operation(slot)) }
        return result
    }

    private mutating func fragmentText(_ slot: Int) -> String {
        let (isPerson, name) = (Self.isOnPerson(slot), Self.fragment(slot))
        var directives = ""
        if Self.hasArgument(slot) {
            directives += " @argumentDefinitions(on: {type: \"Boolean!\", defaultValue: \(random.chance(50))}"
            directives += " n: {type: \"Int\", defaultValue: 3})"
        }
        if slot % 7 == 4 { directives += " @refetchable(queryName: \"C\(slot)RefetchQuery\")" }
        var body = selections(onPerson: isPerson, after: slot, depth: 0, in: slot)
        if Self.hasArgument(slot) {
            body +=
                isPerson
                ? " name @include(if: $on) f\(slot): films(first: $n) { id }"
                : " title @include(if: $on) r\(slot): reviews(first: $n) { text }"
            if random.chance(4) {
                body += isPerson ? " best @include(if: $on) { year }" : " director @skip(if: $on) { age }"
            }
        }
        if !isPerson, random.chance(12) {
            body += " people(first: 3) @connection(key: \"C\(slot)_people\") { edges { node { id name } } }"
        }
        return "fragment \(name) on \(isPerson ? "Person" : "Film")\(directives) { \(body) }"
    }

    private mutating func operation(_ slot: Int) -> String {
        if slot == 6 {
            return "mutation C\(slot)Mutation($f: Filter) { rate(stars: \(random.below(5)), filter: $f) { id "
                + selections(onPerson: false, after: -1, depth: 1, in: slot) + " } }"
        }
        let inner = selections(onPerson: false, after: -1, depth: 0, in: slot)
        switch random.below(4) {
        case 0: return "query C\(slot)Query { film { \(inner) } }"
        case 1: return "query C\(slot)Query($n: Int = \(random.below(9))) { films(first: $n) { \(inner) } }"
        case 2:
            let people = selections(onPerson: true, after: -1, depth: 0, in: slot)
            return "query C\(slot)Query { things { __typename ... on Person { \(people) } ... on Film { \(inner) } } }"
        default:
            return "query C\(slot)Query($f: Filter) { films(filter: $f) { kind \(inner) } person { id } }"
        }
    }

    private mutating func selections(onPerson isPerson: Bool, after slot: Int, depth: Int, in own: Int) -> String {
        var parts = [random.pick(isPerson ? ["id", "name", "age"] : ["id", "title", "year", "kind", "when"])]
        for _ in 0..<(1 + random.below(4)) {
            switch random.below(isPerson ? 7 : 9) {
            case 0, 1, 2: if let spread = spread(onPerson: isPerson, after: slot, in: own) { parts.append(spread) }
            case 3:
                parts.append(
                    isPerson
                        ? random.pick(["name", "gone", "other: age"]) : random.pick(["old", "rating", "t: title"]))
            case 4 where depth < 3:
                let inner = selections(onPerson: !isPerson, after: slot, depth: depth + 1, in: own)
                parts.append((isPerson ? "best" : random.pick(["director", "cast"])) + " { \(inner) }")
            case 5 where depth < 3 && random.chance(15):
                let inner = selections(onPerson: isPerson, after: slot, depth: depth + 1, in: own)
                parts.append("... @\(random.pick(["include", "skip"]))(if: \(random.chance(50))) { \(inner) }")
            case 7: parts.append("reviews(first: 2) { text stars kind }")
            case 8: parts.append("link(filter: {kind: GOOD}) { id }")
            default: parts.append("id")
            }
        }
        if random.chance(1), random.chance(25) {
            parts.append(random.pick(["nothing", "...Missing", "title {", "id: year"]))
        }
        return parts.joined(separator: " ")
    }

    private mutating func spread(onPerson isPerson: Bool, after slot: Int, in own: Int) -> String? {
        let fitting = ((slot + 1)..<Self.slots).filter { Self.isOnPerson($0) == isPerson && $0 != own }
        guard !fitting.isEmpty else { return nil }
        let target = random.pick(fitting)
        var text = "...\(Self.fragment(target))"
        if Self.hasArgument(target), random.chance(50) {
            text += random.chance(95) ? " @arguments(on: true)" : " @arguments(n: \(random.below(9)))"
        } else if random.chance(5) {
            text += " @relay(mask: false)"
        } else if random.chance(5) {
            text += " @include(if: \(random.chance(50)))"
        }
        return text
    }
}
