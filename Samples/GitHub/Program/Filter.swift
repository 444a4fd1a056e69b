/// Which issues or pull requests the list shows.
struct Filter: Codable, Hashable, Sendable {
    enum State: String, Codable, Sendable {
        case open, closed, all

        var next: State { self == .open ? .closed : self == .closed ? .all : .open }

        /// What stands for the state in the schema; nil for all.
        func among<Value>(open: [Value], closed: [Value]) -> [Value]? {
            self == .open ? open : self == .closed ? closed : nil
        }
    }

    var isPull = false
    var state = State.open
    var label: String?
    var author: String?
    var text = ""

    /// True if the connections of the repository cannot express the filter.
    var isSearch: Bool { !text.isEmpty || (isPull && author != nil) }

    /// The filter in the language of GitHub's search.
    func search(in repository: String) -> String {
        var parts = ["repo:\(repository)", isPull ? "is:pr" : "is:issue"]
        if state != .all { parts.append("is:\(state)") }
        if let label { parts.append("label:\"\(label)\"") }
        if let author { parts.append("author:\(author)") }
        return (parts + [text, "sort:updated-desc"]).filter { !$0.isEmpty }.joined(separator: " ")
    }
}
