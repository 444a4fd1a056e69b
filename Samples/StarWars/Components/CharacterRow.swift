import Baton
import StarWarsComponents
import TerminalRenderer

extension CharacterRow {
    private static let columns = Table([.init("Name", .share(3)), .init("Is", .share(2), fromWidth: 26)])

    static func draw(_ character: CharacterRow_character.Data, _ row: RowState) -> any Element {
        columns.row([Text(character.name, row.isSelected ? .bold : .plain), .faint(description(of: character))])
            .limited(width: 96).padding(horizontal: 1)
    }
}
