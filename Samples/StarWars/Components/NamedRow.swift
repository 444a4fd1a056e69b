import TerminalRenderer

extension Element where Self == Sizing {
    /// A name, and the first of some facts that fits beside it. The name has the space that it needs; in a wide row the
    /// facts have a column of their own.
    static func named(_ name: Text, _ facts: [String]) -> Sizing {
        Sizing { size in
            if size.width < 60 {
                let free = size.width - name.width - 2
                Row(gap: 2) {
                    name.filling(height: 0)
                    Text.faint(facts.first { $0.displayWidth <= free } ?? "")
                }
            } else {
                Row(gap: 2) {
                    name.frame(width: 28)
                    Text.faint(facts.first ?? "").filling(height: 0)
                }
            }
        }
    }
}
