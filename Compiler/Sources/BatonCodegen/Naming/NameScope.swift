/// The names of one kind in one scope; what is taken gets a number.
package struct NameScope: Sendable {
    private var taken: Set<String>
    private let ignoresCase: Bool

    /// Begins with names that are not to be had; `ignoresCase` also keeps names apart that differ in case alone.
    package init(reserved: some Sequence<String> = [], ignoresCase: Bool = false) {
        taken = Set(ignoresCase ? reserved.map { $0.lowercased() } : Array(reserved))
        self.ignoresCase = ignoresCase
    }

    /// Takes the name wanted, or the first of `name2`, `name3`, ... that is free.
    package mutating func claim(_ wanted: String) -> String {
        var name = wanted
        var number = 2
        while !taken.insert(ignoresCase ? name.lowercased() : name).inserted {
            name = wanted + String(number)
            number += 1
        }
        return name
    }

    /// Whether nobody has the name yet.
    package func isFree(_ name: String) -> Bool {
        !taken.contains(ignoresCase ? name.lowercased() : name)
    }
}
