import Baton
import StarWarsComponents
import TerminalRenderer

extension AffiliationRow {
    static func draw(_ affiliation: AffiliationRow_affiliation.Data, _ row: RowState) -> any Element {
        let (kind, name, facts) = description(of: affiliation)
        return Row {
            Text.faint(kind).frame(width: 11)
            Text(name) + Text.faint("  " + facts)
        }
        .padding(horizontal: 1)
    }
}
