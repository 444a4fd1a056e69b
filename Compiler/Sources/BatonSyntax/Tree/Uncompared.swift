/// A part of a node about its place or its notation, which equality ignores.
///
/// Syntax trees are therefore equal if they have the same meaning. A tree that is printed and parsed again is equal to
/// the first tree.
@propertyWrapper
package struct Uncompared<Value: Sendable>: Hashable, Sendable {
    package var wrappedValue: Value

    package init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    package static func == (left: Uncompared, right: Uncompared) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}
