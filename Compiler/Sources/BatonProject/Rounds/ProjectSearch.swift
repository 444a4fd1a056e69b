import BatonCompiler

/// The configuration of a project and the files that a search has found.
package struct ProjectSearch: Sendable {
    /// The compiler after the search, with what it has reported.
    let compiler: Compiler
    /// Nil if the configuration cannot be read.
    let start: RoundStart?
    /// The folders in which a change matters.
    package let folders: Set<AbsolutePath>
}
