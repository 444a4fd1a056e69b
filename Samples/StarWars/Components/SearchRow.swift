import Baton
import StarWarsComponents
import TerminalRenderer

extension SearchRow {
    private static let columns = Table([
        .init("", .columns(9)), .init("Name", .share(3)), .init("", .share(2), fromWidth: 36),
    ])

    static func draw(_ result: SearchRow_result.Data, _ row: RowState) -> any Element {
        let (kind, name, fact) = description(of: result)
        return columns.row([.faint(kind), Text(name, row.isSelected ? .bold : .plain), .faint(fact)])
            .padding(horizontal: 1)
    }
}
