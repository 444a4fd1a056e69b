import BatonDiagnostics

/// How many structs with fragment spreads a module has room for.
///
/// Each of them has an extension of `GeneratedCode.FragmentReferences`. A compiled module keeps the extensions of all
/// types with one name in one entry, whose length is a number of 16 bits. Swift does not check it, and a module that
/// imports this one lacks what does not fit (https://github.com/swiftlang/swift/issues/90319). An extension takes eight
/// bytes and the mangled name of the type, which has 45, so that 1,236 have room. The module itself has all of them.
package enum ModuleSize {
    /// The greatest number of such structs without a warning.
    package static let mostReferences = 1_200

    /// The type that is extended, as generated code names it.
    static let references = "GeneratedCode.FragmentReferences"

    /// The warning about a module with this number of such structs; none if they have room.
    package static func warnings(references count: Int) -> [Diagnostic] {
        guard count > mostReferences else { return [] }
        return [
            Diagnostic(
                .moduleSize,
                severity: .warning,
                "\(count) structs have fragment spreads, and modules that import this one may lack the references of "
                    + "those beyond \(mostReferences)",
                at: .none,
                suggestion: "divide the documents among several modules, each with a configuration of its own"
            )
        ]
    }
}
