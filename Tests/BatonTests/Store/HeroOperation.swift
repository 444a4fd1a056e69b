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

    struct Variables: GraphQLVariables {
        var episode: GraphQLNullable<String>
        var withMass: GraphQLNullable<Bool>

        func encode(into encoder: inout GeneratedCode.VariableEncoder) {
            encoder.encode("episode", episode)
            encoder.encode("withMass", withMass)
        }
    }

    struct Data: GeneratedCode.Selections {
        let hero: Hero?

        init?(_ reader: inout GeneratedCode.RecordReader) {
            hero = reader.object(0, Hero.self)
        }
    }

    struct Hero: GeneratedCode.Selections {
        let typename: String
        let name: String
        let friends: [Friend?]?
        let asDroid: AsDroid?
        let pilotShip: FragmentReference<PilotShip>?
        let mass: Int?
        let tags: [[String]]?
        let episode: Episode?
        let born: Day?
        let home: String?

        init?(_ reader: inout GeneratedCode.RecordReader) {
            typename = reader.typename()
            guard let name = reader.string(0) else { return nil }
            self.name = name
            friends = reader.list(1) { $0.object(Friend.self) }
            asDroid = reader.inlineFragment(2, AsDroid.self)
            pilotShip = reader.fragment(3, PilotShip.self)
            mass = reader.int(4)
            tags = reader.requiredList(5) { $0.requiredList { $0.string() } }
            episode = reader.enumeration(6, Episode.self)
            born = reader.scalar(7, Day.self)
            home = reader.string(8)
        }
    }

    struct Friend: GeneratedCode.Selections {
        let name: String
        let heroName: FragmentReference<HeroName>

        init?(_ reader: inout GeneratedCode.RecordReader) {
            guard let name = reader.string(0) else { return nil }
            self.name = name
            heroName = reader.fragment(1, HeroName.self)
        }
    }

    struct AsDroid: GeneratedCode.Selections {
        let name: String
        let primaryFunction: String?

        init?(_ reader: inout GeneratedCode.RecordReader) {
            guard let name = reader.string(0) else { return nil }
            self.name = name
            primaryFunction = reader.string(1)
        }
    }
}

struct HeroName: GraphQLFragment {
    static let artifact = GeneratedCode.FragmentArtifact(
        name: "HeroName", typeCondition: "Character", reader: "{name:String!}")

    struct Data: GeneratedCode.Selections {
        let name: String

        init?(_ reader: inout GeneratedCode.RecordReader) {
            guard let name = reader.string(0) else { return nil }
            self.name = name
        }
    }
}

struct PilotShip: GraphQLFragment {
    static let artifact = GeneratedCode.FragmentArtifact(
        name: "PilotShip", typeCondition: "Pilot", reader: "{ship:Ship{title:String! length:Float}}")

    struct Data: GeneratedCode.Selections {
        let ship: Ship?

        init?(_ reader: inout GeneratedCode.RecordReader) {
            ship = reader.object(0, Ship.self)
        }
    }

    struct Ship: GeneratedCode.Selections {
        let title: String
        let length: Double?

        init?(_ reader: inout GeneratedCode.RecordReader) {
            guard let title = reader.string(0) else { return nil }
            self.title = title
            length = reader.double(1)
        }
    }
}

enum Episode: GraphQLEnum {
    case newHope
    case jedi
    case unknown(String)

    init(rawValue: String) {
        switch rawValue {
        case "NEW_HOPE": self = .newHope
        case "JEDI": self = .jedi
        default: self = .unknown(rawValue)
        }
    }

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
    /// Normalizes an answer and publishes it.
    @discardableResult
    func write(_ json: String, for operation: BoundOperation) throws(ResponseError) -> PublishSummary {
        publish(try normalize(Array(json.utf8), for: operation), for: operation)
    }

    /// Returns the path of the first missing field; nil if none is missing.
    func missingPath(_ operation: BoundOperation) -> [PathComponent]? {
        if case .missing(let place) = check(operation) { place.path } else { nil }
    }

    func read<Operation: GraphQLOperation>(_ query: Operation) -> Snapshot<Operation.Data> {
        let operation = bind(query)
        return read(Operation.Data.self, at: operation.root, operation.reader)
    }
}
