// swift-format-ignore-file: AlwaysUseLowerCamelCase

@testable import Baton

/// A hand-written operation in the form of generated code. It has objects of an interface, a type condition, lists,
/// conditions and fragments.
struct HeroQuery: GraphQLQuery {
    static let artifact = GeneratedCode.OperationArtifact(
        name: "Hero",
        kind: .query,
        text: "query Hero { }",
        normalization:
            "(episode=\"JEDI\",withMass=true){hero(episode:$episode):+*Character{id:ID! name:String! friends(first:2):[+*Character]{id:ID! name:String!} <Droid>{primaryFunction:String} <*Pilot>{ship:Ship{title:String! length:Float}} [withMass]mass:Int tags:[[String!]!] episode:#Episode born:@Date home:%JSON}}",
        reader:
            "(episode=\"JEDI\",withMass=true){hero(episode:$episode):+*Character{name:String! friends(first:2):[+*Character]{name:String! ~HeroName} <Droid>{name:String! primaryFunction:String} ~PilotShip<*Pilot> [withMass]mass:Int tags:[[String!]!] episode:#Episode born:@Date home:%JSON}}",
        scalars: [GeneratedCode.ScalarDecoder("Date", Day.self)]
    )

    var variables: Variables

    init(variables: Variables) { self.variables = variables }
    init(episode: GraphQLNullable<String> = .absent, withMass: GraphQLNullable<Bool> = .absent) {
        variables = Variables(episode: episode, withMass: withMass)
    }

    struct Variables: GeneratedCode.Variables, Hashable {
        var episode: GraphQLNullable<String>
        var withMass: GraphQLNullable<Bool>

        var __fields: GeneratedCode.InputFields {
            .init("episode withMass") {
                $0.addString(episode.input)
                $0.addBool(withMass.input)
            }
        }
    }

    struct Data: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var hero: Hero? { __row.optionalObject(0) }
    }

    struct Hero: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var typename: String { __row.typename }
        var name: String { __row.string(0) }
        var friends: ObjectList<Friend?>? { __row.optionalObjects(1) }
        var asDroid: AsDroid? { __row.inlineFragment(2) }
        var pilotShip: FragmentReference<PilotShip>? { __row.optionalFragment(3) }
        var mass: Int? { __row.optionalInt(4) }
        var tags: [[String]]? { __row.optionalList(5) { $0.list { $0.string() } } }
        var episode: Episode? { __row.optionalEnumeration(6) }
        var born: Day? { __row.optionalScalar(7, Day.self) }
        var home: String? { __row.optionalString(8) }
    }

    struct Friend: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var name: String { __row.string(0) }
        var heroName: FragmentReference<HeroName> { __row.fragment(1) }
    }

    struct AsDroid: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var name: String { __row.string(0) }
        var primaryFunction: String? { __row.optionalString(1) }
    }
}

struct HeroName: GraphQLFragment {
    static let artifact = GeneratedCode.FragmentArtifact(
        name: "HeroName", typeCondition: "Character", reader: "{name:String!}")

    struct Data: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var name: String { __row.string(0) }
    }
}

struct PilotShip: GraphQLFragment {
    static let artifact = GeneratedCode.FragmentArtifact(
        name: "PilotShip", typeCondition: "Pilot", reader: "{ship:Ship{title:String! length:Float}}")

    struct Data: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var ship: Ship? { __row.optionalObject(0) }
    }

    struct Ship: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var title: String { __row.string(0) }
        var length: Double? { __row.optionalDouble(1) }
    }
}

enum Episode: GraphQLEnum, RawRepresentable, Hashable {
    case newHope
    case jedi
    case unknown(String)

    static let __values = GeneratedCode.EnumValues<Episode>(.newHope, .jedi)

    var rawValue: String {
        switch self {
        case .newHope: "NEW_HOPE"
        case .jedi: "JEDI"
        case .unknown(let text): text
        }
    }
}

/// A mapped scalar: `"2001-02"` becomes a year and a month.
struct Day: ScalarConversion, Sendable, Hashable {
    struct Malformed: Error {}

    let year: Int
    let month: Int

    static func decode(_ json: JSONValue) throws -> Day {
        guard case .string(let text) = json else { throw Malformed() }
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 2 else { throw Malformed() }
        return Day(year: parts[0], month: parts[1])
    }

    static func encode(_ value: Day) -> JSONValue { .string("\(value.year)-\(value.month)") }
}

extension Store {
    /// Normalizes a response and publishes it.
    @discardableResult
    func write(_ json: String, for operation: BoundOperation) throws(RelayError.InvalidResponse) -> PublishSummary {
        publish(try normalize(Array(json.utf8), for: operation), for: operation)
    }

    /// Returns the path of the first missing field; nil if none is missing.
    func missingPath(_ operation: BoundOperation) -> [JSONValue.PathComponent]? {
        if case .missing(let place) = check(operation) { place.path } else { nil }
    }

    func read<Operation: GraphQLOperation>(_ query: Operation) -> ReadResult<Operation.Data> {
        let operation = bind(query)
        return read(Operation.Data.self, at: operation.root, operation.reader)
    }
}

extension HeroQuery {
    /// A response with everything that the query selects.
    static let answer = """
        {"data":{"hero":{"__typename":"Droid","id":"2001","name":"R2-D2","friends":[{"__typename":"Human","id":"1000","name":"Luke"},null,\
        {"__typename":"Droid","id":"2001","name":"R2-D2"}],"primaryFunction":"Astromech","__isPilot":"Droid","ship":{"title":"X-Wing","length":12.5},\
        "mass":32,"tags":[["a","b"],[]],"episode":"EMPIRE","born":"1977-05","home":{"planet": "Naboo"}}},"extensions":{"cost":3}}
        """
}
