import Baton
import StarWarsComponents
import TerminalRenderer

extension CharacterRow {
    static func draw(_ character: CharacterRow_character.Data, _ row: RowState) -> any Element {
        Sizing.named(
            Text(character.name, row.isSelected ? .bold : .plain),
            [description(of: character), character.__typename.lowercased()]
        )
        .limited(width: 110).padding(horizontal: 1)
    }
}
