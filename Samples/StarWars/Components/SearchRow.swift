import Baton
import StarWarsComponents
import TerminalRenderer

extension SearchRow {
    static func draw(_ result: SearchRow_result.Data, _ row: RowState) -> any Element {
        let (kind, name, fact) = description(of: result)
        return Row(gap: 1) {
            Text.faint(kind).frame(width: 8)
            Sizing.named(Text(name, row.isSelected ? .bold : .plain), [fact])
        }
        .padding(horizontal: 1)
    }
}
