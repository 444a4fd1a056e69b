import Baton
import StarWarsComponents
import TerminalRenderer

extension CharacterFacts {
    static func draw(_ character: CharacterFacts_character.Data, _ row: RowState) -> any Element {
        Column {
            Row.labelled("Is", character.__typename.lowercased())
            if !character.aliases.isEmpty {
                Row.labelled("Known as", character.aliases.joined(separator: ", "))
            }
            for (label, text) in labelled(character) { Row.labelled(label, text) }
        }
        .padding(horizontal: 1)
    }
}
