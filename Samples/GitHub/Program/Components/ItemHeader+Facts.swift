import Foundation
import TerminalRenderer

extension ItemHeader {
    /// The same one below the other, with dates, for a column of its own.
    static func facts(_ item: ItemHeader_node.Data, _ now: Date) -> any Element {
        var facts = [
            ("author", Text(item.asComment?.author?.login ?? "ghost")),
            ("opened", .age(of: item.asComment?.createdAt, at: now)),
            ("updated", .age(of: item.asComment?.updatedAt, at: now)),
        ]
        if let reason = item.reason { facts.append(("closed", Text(reason))) }
        facts.append(("assigned", Text(item.people.isEmpty ? "nobody" : item.people.joined(separator: "\n"))))
        if let pull = item.asPullRequest {
            facts += [("branch", pull.branches), ("changes", pull.changes), ("files", Text("\(pull.changedFiles)"))]
        }
        return Column { for (name, text) in facts { Row.labelled(Text(name, .dim), text, width: 9) } }
    }
}

extension ItemHeader_node.Data {
    var people: [String] { asAssignable?.assignees.nodes?.compactMap { $0?.login } ?? [] }

    /// Why an issue is closed.
    var reason: String? {
        guard let reason = asIssue?.stateReason, reason != .reopened else { return nil }
        return reason.words
    }
}

extension ItemHeader_node.Data.AsPullRequest {
    var branches: Text { Text("\(headRefName) \u{2192} \(baseRefName)", .color(.cyan)) }
    var changes: Text { Text("+\(additions)", .color(.green)) + Text(" -\(deletions)", .color(.red)) }
}
