/// A part of a node that says where or how it was written; two nodes are equal whatever it holds.
///
/// Equality of syntax trees is therefore equality of what they mean: a tree that was printed and parsed again is equal
/// to the first one.
@propertyWrapper
package struct Uncompared<Value: Sendable>: Hashable, Sendable {
    package var wrappedValue: Value

    package init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    package static func == (left: Uncompared, right: Uncompared) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}
