import BatonCompiler

/// What a watch tells of a time.
package enum FileChanges: Hashable, Sendable {
    /// Nothing has happened but to the entries of these names, which may have appeared, changed or gone.
    case entries(Set<AbsolutePath>)
    /// Anything may have happened.
    case unknown

    package mutating func formUnion(_ other: FileChanges) {
        switch (self, other) {
        case (.entries(let paths), .entries(let others)): self = .entries(paths.union(others))
        default: self = .unknown
        }
    }
}
