/// Some of the definitions of a program, by name. A name may be that of an operation and of a fragment.
package struct DefinitionNames: Hashable, Sendable {
    package var operations: Set<String>
    package var fragments: Set<String>

    package init(operations: Set<String> = [], fragments: Set<String> = []) {
        self.operations = operations
        self.fragments = fragments
    }
}
