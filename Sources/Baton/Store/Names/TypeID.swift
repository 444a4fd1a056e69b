/// The number of the name of an object type, or of an abstract type in a condition.
package struct TypeID: Sendable, Hashable {
    let index: UInt32
}
