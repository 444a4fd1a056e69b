import Foundation
import TerminalRenderer

/// The texts that a person is writing, by the item, until the service has them.
@MainActor
final class Writing {
    /// A text of the person about an item.
    struct Draft: Codable, Hashable, Sendable {
        /// The number of the item, which is what people call it.
        let number: Int
        var text: String
    }

    /// The texts outlive the windows in which they are written.
    let drafts = Drafts<String>(hasLines: true)
    private var numbers: [String: Int] = [:]
    /// The texts that were sent and not answered yet, in the order in which they were sent.
    private var sending: [(key: Int, id: String, draft: Draft)] = []
    private var last = 0

    /// Remembers what an item is called.
    func begin(about id: String, number: Int) { numbers[id] = number }

    /// Notes that a text is on its way. It counts as unsent until ``ended(_:)``.
    func sent(_ text: String, about id: String) -> Int {
        last += 1
        sending.append((last, id, Draft(number: numbers[id] ?? 0, text: text)))
        return last
    }

    func ended(_ key: Int) { sending.removeAll { $0.key == key } }

    /// True if the service has not answered to a text yet.
    var isSending: Bool { !sending.isEmpty }

    /// What the service does not have, or may not have, by the id of the item.
    var unsent: [String: Draft] {
        var unsent = drafts.written.map { (id: $0.key, draft: Draft(number: numbers[$0.key] ?? 0, text: $0.value)) }
            .filter { $0.draft.text.contains { !$0.isWhitespace } }
        unsent += sending.map { ($0.id, $0.draft) }
        return Dictionary(unsent.map { ($0.id, $0.draft) }) { draft, sent in
            Draft(number: draft.number, text: "\(sent.text)\n\(draft.text)")
        }
    }

    /// Takes the texts of an earlier use of the program.
    func restore(_ kept: [String: Draft]) {
        for (id, draft) in kept {
            numbers[id] = draft.number
            drafts[id].replace(with: draft.text)
        }
    }
}

extension [String: Writing.Draft] {
    /// The numbers of the items, such as "#12 and #15".
    var numbers: String { values.map(\.number).sorted().map { "#\($0)" }.formatted(.list(type: .and)) }
}
