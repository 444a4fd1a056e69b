import BatonCompiler

/// The common input of all kinds of runs.
struct RoundStart: Sendable {
    let configuration: Configuration
    let inputs: ProjectInputs
    let files: ProjectFiles
    /// The number of diagnostics that the search for files has reported; each round makes them anew.
    let firstOwnDiagnostic: Int
    let key: UInt64
    var time: Int64
}
