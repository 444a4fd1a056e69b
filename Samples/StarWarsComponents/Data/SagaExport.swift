import Foundation

/// All data in one value, in a form that servers in other languages can read.
public struct SagaExport: Encodable {
    private let films = Saga.films
    private let characters = Saga.characters
    private let planets = Saga.planets
    private let species = Saga.species
    private let starships = Saga.starships
    private let reviews = Saga.reviews

    /// The data as JSON text with sorted keys, the same on every run.
    public static func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(SagaExport()), as: UTF8.self)
    }
}
