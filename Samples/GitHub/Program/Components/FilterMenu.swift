import Baton
import TerminalRenderer

/// The labels or the people of the repository, to choose a filter from.
final class FilterMenu: Component {
    private static let query = graphql(
        """
        query FilterMenuQuery($owner: String!, $name: String!) {
          repository(owner: $owner, name: $name) {
            labels(first: 100) { nodes { id name color } }
            assignableUsers(first: 100) { nodes { id login } }
          }
        }
        """
    )

    private let session: Session
    private let choices: QueryHandle<FilterMenuQuery>
    private let state = ListState()
    private var begins = true

    init(in session: Session) {
        self.session = session
        choices = QueryHandle(
            in: session.environment, fetchPolicy: .storeOrNetwork,
            freshness: Freshness(refetchOn: [.networkReturned]))
    }

    var content: any Element {
        let isLabel = session.focus == .label
        let result = choices.get(owner: session.repository.owner, name: session.repository.name)
        let labels = result.data?.repository?.labels?.nodes?.compactMap { $0 } ?? []
        let people = result.data?.repository?.assignableUsers.nodes?.compactMap { $0?.login } ?? []
        let names: [String] = ["any"] + (isLabel ? labels.map(\.name) : people)
        let chosen = (isLabel ? session.filter.label : session.filter.author) ?? names[0]
        if begins, result.data != nil { (begins, state.selection) = (false, names.firstIndex(of: chosen) ?? 0) }
        return Box(isLabel ? "Label" : "Author", footer: "enter choose  esc back", isFocused: true) {
            if let error = result.error { Text(error.words, .color(.red)).wrapped }
            List(names, state, open: { [self] in choose($0 == 0 ? nil : names[$0]) }) { name, _ in
                let label = isLabel ? labels.first { $0.name == name } : nil
                return Text(name == chosen ? "\u{2022}" : " ")
                    + (label.map { .label($0.name, $0.color) } ?? Text(" \(name)"))
            }
            .frame(width: 34, height: min(16, max(2, names.count)))
        }
    }

    /// Begins with what is chosen now.
    func begin() { (begins, _) = (true, state.reset()) }

    private func choose(_ name: String?) {
        if session.focus == .label { session.filter.label = name } else { session.filter.author = name }
        session.focus = .list
    }
}
