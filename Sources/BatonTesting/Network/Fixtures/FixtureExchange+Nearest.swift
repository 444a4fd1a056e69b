import Baton
import BatonDiagnostics

extension FixtureExchange.Key {
    /// The operation, as errors name it.
    package var title: String {
        operationName.isEmpty ? "the \(kind.rawValue) without a name" : "\(kind.rawValue) '\(operationName)'"
    }

    /// What exchanges are sorted by.
    package var order: [String] { [operationName, kind.rawValue, Self.sorted(variables).text] }

    /// What was recorded that is nearest to this request, as text, at most five.
    ///
    /// Of another request of the same operation, the variables that differ are named. Their values stay out of the
    /// message, since they may be secret.
    package func nearest(in recorded: [FixtureExchange.Key]) -> [String] {
        var result: [String] = []
        for key in recorded where key.operationName == operationName {
            let names = Set(names(of: variables) + names(of: key.variables)).sorted()
            let different = names.filter { variables[$0] != key.variables[$0] }
            let text =
                key.kind != kind
                ? key.title : "\(key.title) with other values of \(different.map { "'\($0)'" }.joined(separator: ", "))"
            if !result.contains(text) { result.append(text) }
        }
        let known = Set(recorded.map(\.operationName)).subtracting([""])
        for name in Spelling.suggestions(for: operationName, among: known) {
            guard name != operationName, let key = recorded.first(where: { $0.operationName == name }) else { continue }
            result.append(key.title)
        }
        return Array(result.prefix(5))
    }

    private func names(of value: JSONValue) -> [String] {
        if case .object(let members) = value { members.map(\.name) } else { [] }
    }

    /// The value with the members of its objects sorted. Variables were checked not to be nested too deep.
    private static func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let values): .array(values.map(sorted))
        case .object(let members):
            .object(members.sorted { $0.name < $1.name }.map { .init($0.name, sorted($0.value)) })
        default: value
        }
    }
}
