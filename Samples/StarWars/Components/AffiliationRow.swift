import Baton
import StarWarsComponents
import TerminalRenderer

extension AffiliationRow {
    static func draw(_ affiliation: AffiliationRow_affiliation.Data, _ row: RowState) -> any Element {
        let (kind, name, facts) = description(of: affiliation)
        let text = Text(name) + Text.faint("  " + facts)
        return Row {
            Text.faint(kind).frame(width: 11)
            text.wrapped.filling(height: 0)
        }
        .padding(horizontal: 1)
    }
}
