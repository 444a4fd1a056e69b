/// A record that an answer gave another type.
package struct TypeChange: Sendable, Hashable {
    let record: RecordID
    let old: TypeID
    let new: TypeID
}
