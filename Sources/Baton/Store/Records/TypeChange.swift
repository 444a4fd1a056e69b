/// A record that a response gave another type.
package struct TypeChange: Sendable, Hashable {
    let record: RecordID
    let old: TypeID
    let new: TypeID
}
