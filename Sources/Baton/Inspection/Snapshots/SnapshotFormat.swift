/// The layout of a snapshot, as canonical JSON.
///
/// ```
/// {"errors":[[id,"key",["message","extensions"]]], "facts":[["Type","Abstract",true]], "fetches":[[age,when]],
///  "fields":["key"], "format":3, "forms":[["Type",field]], "ids":["client:root","1",[0,field,null]],
///  "invalidated":{"records":[[id,when]],"store":when,"types":[["Type",when]]},
///  "operations":[["Name","variables",age,when,revoked,[fetch key]]], "patterns":[[fetched]],
///  "records":[[id,form,fetched,value],[id]]}
/// ```
///
/// An identity is a text, or the place of a record without a text. A place has the position of the parent in `ids`, the
/// storage key and the list index. Parents come first. A storage key is given by its position in `fields`.
///
/// A record has a form and one value for each field of the form. The form has the record's type and its fields in the
/// order of their keys. A record without a form is deleted. A value is plain JSON except for `{"link":id}`,
/// `{"links":[id,-1]}`, `{"scalar":"text of its JSON"}`, and `{"double":2}` for doubles that canonical JSON would
/// change.
///
/// Identities and records are in the order of a walk from the root along the links. Records that no link leads to
/// follow in the order of their texts (``SnapshotWalk``).
///
/// The extensions of an error are the text of their JSON. An error with other members has those behind them, as the
/// text of an object.
///
/// An age is the number of whole milliseconds before the snapshot was taken, because the clocks of two machines begin
/// at different times.
///
/// A moment (`when`) of an invalidation is its rank, from 1; invalidations share a rank if no fetch began between them.
/// The moment of a fetch is the rank of the last invalidation before it began, or 0. So two histories with the same
/// effect give equal bytes.
///
/// The source of a record (`fetched`) is a position in `fetches`, `nobody` or `handler`. If the record's fields come
/// from several responses, it is the number of fetches plus a position in `patterns`, which has the source of each
/// field.
enum SnapshotFormat {
    static let version = 3
    /// The source of fields that no response brought.
    static let nobody = -1
    /// The source of fields that a missing-field handler found.
    static let handler = -2
    /// The greatest number of nested records without identities of their own; no response has as many levels.
    static let deepestPlace = 1024
    /// The greatest number of fetch keys of one operation that are written.
    static let mostKeys = 16
}
