/// Guesses which defined names the unknown ones of one place meant, so that a name that is written wrong is not also
/// reported as missing.
///
/// A name that is given already is not guessed. Where no spelling is near, the only required name that is missing is.
package struct MeantNames {
    private let defined: [String]
    /// What is required, not given, and not meant by any name that was asked about.
    package private(set) var missing: [String]

    /// Begins with the names that are defined, those given, and those that are required and not given.
    package init(defined: [String], given: [String], missing: [String]) {
        let given = Set(given)
        self.defined = defined.filter { !given.contains($0) }
        self.missing = missing
    }

    /// The names that an unknown one probably meant, nearest first; one that is missing counts as given from then on.
    package mutating func names(for unknown: String) -> [String] {
        var names = Spelling.suggestions(for: unknown, among: defined)
        if names.isEmpty, missing.count == 1 { names = missing }
        if let meant = names.first(where: missing.contains) { missing.removeAll { $0 == meant } }
        return names
    }
}
