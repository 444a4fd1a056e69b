/// A search in GitHub's language: words, and qualifiers such as `is:open`, `label:"help wanted"` and `author:ada`.
struct Search {
    private var words: [String] = []
    private var qualifiers: [(name: String, value: String)] = []

    init(_ text: String) {
        var word = ""
        var isQuoted = false
        for character in text + " " {
            if character == "\"" {
                isQuoted.toggle()
            } else if character == " ", !isQuoted {
                add(word)
                word = ""
            } else {
                word.append(character)
            }
        }
    }

    private mutating func add(_ word: String) {
        let parts = word.split(separator: ":", maxSplits: 1)
        if parts.count == 2 {
            qualifiers.append((parts[0].lowercased(), parts[1].lowercased()))
        } else if !word.isEmpty {
            words.append(word.lowercased())
        }
    }

    func matches(_ item: Item) -> Bool {
        qualifiers.allSatisfy { matches(item, $0.name, $0.value) }
            && words.allSatisfy { item.searched.contains($0) || "\(item.number)" == $0 }
    }

    private func matches(_ item: Item, _ name: String, _ value: String) -> Bool {
        switch (name, value) {
        case ("is", "issue"): !item.isPull
        case ("is", "pr"): item.isPull
        case ("is", "open"), ("state", "open"): item.state == "OPEN"
        case ("is", "closed"), ("state", "closed"): item.state != "OPEN"
        case ("is", "merged"): item.state == "MERGED"
        case ("label", _): item.labels.contains { $0.name.lowercased() == value }
        case ("author", _): item.author.login == value
        case ("assignee", _): item.assignees.contains { $0.login == value }
        case ("repo", _): value == "\(Repository.owner)/\(Repository.name)"
        default: true
        }
    }
}
