/// The names of one kind in one scope; what is taken gets a number.
package struct NameScope: Sendable {
    /// Kept as they are: joining sets for every scope is what code generation would spend most of its time on.
    private let reserved: [Set<String>]
    private var taken: Set<String> = []
    private let ignoresCase: Bool

    /// Begins with names that are not to be had; `ignoresCase` also keeps names apart that differ in case alone.
    package init(reserved: Set<String>..., ignoresCase: Bool = false) {
        self.reserved = ignoresCase ? reserved.map { Set($0.map { $0.lowercased() }) } : reserved
        self.ignoresCase = ignoresCase
    }

    /// Takes the name wanted, or the first of `name2`, `name3`, ... that is free.
    package mutating func claim(_ wanted: String) -> String {
        var name = wanted
        var number = 2
        while !isFree(name) {
            name = wanted + String(number)
            number += 1
        }
        taken.insert(ignoresCase ? name.lowercased() : name)
        return name
    }

    /// Whether nobody has the name yet.
    package func isFree(_ name: String) -> Bool {
        let key = ignoresCase ? name.lowercased() : name
        return !taken.contains(key) && !reserved.contains { $0.contains(key) }
    }
}
