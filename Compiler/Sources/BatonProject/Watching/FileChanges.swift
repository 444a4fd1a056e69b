import BatonCompiler

/// What a watch tells about the time since it was asked last.
package enum FileChanges: Hashable, Sendable {
    /// Only the entries with these paths may have appeared, changed or disappeared.
    case entries(Set<AbsolutePath>)
    /// Any file may have changed, so that everything has to be compared.
    case unknown

    package mutating func formUnion(_ other: FileChanges) {
        switch (self, other) {
        case (.entries(let paths), .entries(let others)): self = .entries(paths.union(others))
        default: self = .unknown
        }
    }
}
