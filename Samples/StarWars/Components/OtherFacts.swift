import Baton
import StarWarsComponents
import TerminalRenderer

extension OtherFacts {
    /// The facts, and the title above the characters.
    var element: any Element {
        Column {
            for (label, text) in facts { Row.labelled(label, text) }
            Spacer.rows(1)
            Text.heading(heading)
        }
        .padding(horizontal: 1)
    }
}
