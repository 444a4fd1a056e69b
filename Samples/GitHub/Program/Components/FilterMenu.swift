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

    init(in session: Session) { (self.session, choices) = (session, session.query(.storeOrNetwork)) }

    var content: any Element {
        let isLabel = session.focus == .label
        let result = choices.get(owner: session.repository.owner, name: session.repository.name)
        let labels = result.data?.repository?.labels?.nodes?.compactMap { $0 } ?? []
        let people = result.data?.repository?.assignableUsers.nodes?.compactMap { $0?.login } ?? []
        let names: [String] = ["any"] + (isLabel ? labels.map(\.name) : people)
        let chosen = names.firstIndex(of: (isLabel ? session.filter.label : session.filter.author) ?? names[0])
        let texts = isLabel ? labels.map { .badge($0.name, .label($0.color)) } : people.map { Text(" \($0)") }
        return Menu(
            isLabel ? "Label" : "Author", [Text(" any")] + texts, marked: Set([chosen].compactMap { $0 }),
            failure: choices.failure, width: 34, session.menu
        ) { [session] index in
            let name = index == 0 ? nil : names[index]
            session.list { if isLabel { $0.label = name } else { $0.author = name } }
        }
    }
}
