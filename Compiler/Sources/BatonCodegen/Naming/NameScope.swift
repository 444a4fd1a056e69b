/// The names of one kind in one scope. A name that is taken gets a number.
package struct NameScope: Sendable {
    /// Reserved names. The sets are not joined, because joining them for every scope would take most of the time of
    /// code generation.
    private let reserved: [Set<String>]
    private var taken: Set<String> = []
    private let ignoresCase: Bool

    /// Starts with reserved names. With `ignoresCase`, names must differ in more than case.
    package init(reserved: Set<String>..., ignoresCase: Bool = false) {
        self.reserved = ignoresCase ? reserved.map { Set($0.map { $0.lowercased() }) } : reserved
        self.ignoresCase = ignoresCase
    }

    /// Takes the wanted name, or the first free one of `name2`, `name3`, ...
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

    /// Whether the name is neither taken nor reserved.
    package func isFree(_ name: String) -> Bool {
        let key = ignoresCase ? name.lowercased() : name
        return !taken.contains(key) && !reserved.contains { $0.contains(key) }
    }
}
