import Baton

/// One character in a cast.
enum CastRowPart {
    static func render(_ character: FragmentReference<CastRow_character>, in environment: RelayEnvironment) -> HTML {
        guard let character = environment.read(character) else { return "" }
        return "<li>\(character.name), \(description(of: character))</li>"
    }

    private static func description(of character: CastRow_character.Data) -> String {
        switch character.asCase {
        case .human(let human): human.homeworld.map { "human from \($0.name)" } ?? "human"
        case .droid(let droid): "droid for \(droid.primaryFunction)"
        case .creature(let creature): creature.species?.name ?? "of an unknown species"
        case .other(let character): character.__typename
        }
    }
}
