import Foundation

/// Makes the issues, pull requests and comments of the repository, the same for the same seed.
struct Corpus {
    let issueCount: Int
    let pullCount: Int
    let commentCount: Int
    /// The time of the newest change.
    var now = Date(timeIntervalSince1970: 1_790_000_000)

    let users = Words.logins.enumerated().map { User(id: "U_\($0 + 1)", login: $1) }
    let labels = Words.labels.enumerated().map { Label(id: "LA_\($0 + 1)", name: $1.0, color: $1.1) }
    private var random: SplitMix

    init(seed: UInt64, issues: Int, pulls: Int, comments: Int) {
        (issueCount, pullCount, commentCount) = (issues, pulls, comments)
        random = SplitMix(state: seed)
    }

    /// All items by ascending number, which issues and pull requests share.
    mutating func items() -> [Item] {
        let count = issueCount + pullCount
        let counts = commentCounts(count)
        let pulls = Set((0..<count).shuffled(using: &random).prefix(pullCount))
        let day = 86_400.0
        return (0..<count).map { index in
            let age = Double(count - index) * day * 1200 / Double(count) + Double.random(in: 0..<day, using: &random)
            return item(index + 1, isPull: pulls.contains(index), comments: counts[index], age: age)
        }
    }

    /// Few items have many comments, and many have none.
    private mutating func commentCounts(_ count: Int) -> [Int] {
        var counts = [Int](repeating: 0, count: count)
        guard count > 0 else { return counts }
        for _ in 0..<commentCount {
            let place = Double.random(in: 0..<1, using: &random)
            counts[min(count - 1, Int(place * place * place * Double(count)))] += 1
        }
        return counts.shuffled(using: &random)
    }

    private mutating func item(_ number: Int, isPull: Bool, comments: Int, age: Double) -> Item {
        let created = now - age.rounded()
        let title = isPull || chance(0.3) ? wish() : fault()
        let body = paragraphs()
        var item = Item(
            isPull: isPull, number: number, title: title, body: body, author: pick(users), createdAt: created,
            updatedAt: created, state: chance(0.35) ? "OPEN" : isPull && chance(0.8) ? "MERGED" : "CLOSED",
            labels: labels.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)) + [],
            assignees: chance(0.4) ? [pick(users)] : [], searched: (title + "\n" + body).lowercased())
        item.reactions = reactions(most: 30)
        var time = created
        for index in 0..<comments {
            let pause = Double.random(in: 600..<(age / Double(comments + 1) + 601), using: &random)
            time = min(now, time + pause.rounded())
            let id = "IC_\(number)_\(index + 1)"
            item.comments.append(Comment(id: id, author: pick(users), body: answer(), createdAt: time))
            if chance(0.2) { item.comments[index].reactions = reactions(most: 9) }
        }
        item.updatedAt = time
        item.isLocked = chance(0.01)
        if item.state == "CLOSED", !isPull { item.stateReason = chance(0.8) ? "COMPLETED" : "NOT_PLANNED" }
        guard isPull else { return item }
        item.isDraft = item.state == "OPEN" && chance(0.2)
        item.headRefName = title.lowercased().split(separator: " ").suffix(3).joined(separator: "-")
        item.additions = Int.random(in: 1...900, using: &random)
        item.deletions = Int.random(in: 0...400, using: &random)
        item.changedFiles = Int.random(in: 1...25, using: &random)
        return item
    }

    private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

    private mutating func pick<Element>(_ list: [Element]) -> Element {
        list[Int.random(in: list.indices, using: &random)]
    }

    private mutating func wish() -> String { "\(pick(Words.wishes)) \(pick(Words.parts)) \(pick(Words.circumstances))" }

    private mutating func fault() -> String {
        let part = pick(Words.parts)
        return "\(part.prefix(1).uppercased())\(part.dropFirst()) \(pick(Words.faults)) \(pick(Words.circumstances))"
    }

    private mutating func paragraphs() -> String {
        var parts = ["\(pick(Words.openings)) \(pick(Words.middles)) \(pick(Words.middles))"]
        if chance(0.6) { parts.append(pick(Words.blocks)) }
        return (parts + ["\(pick(Words.middles)) \(pick(Words.closings))"]).joined(separator: "\n\n")
    }

    private mutating func answer() -> String {
        var text = pick(Words.answers)
        if chance(0.4) { text += " " + pick(Words.middles) }
        if chance(0.15) { text += "\n\n" + pick(Words.blocks) }
        return text
    }

    private mutating func reactions(most: Int) -> Reactions {
        var reactions = Reactions()
        for content in Reactions.contents where chance(0.2) {
            reactions.others[content] = Int.random(in: 1...most, using: &random)
        }
        return reactions
    }
}

/// A generator of pseudo-random numbers (Steele, Lea and Flood, 2014).
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
