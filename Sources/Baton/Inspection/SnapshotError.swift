/// Why bytes could not be restored; the store is as it was.
public enum SnapshotError: Error, Sendable, Hashable {
    /// The bytes are no JSON.
    case notJSON(JSONError)
    /// The bytes are JSON, but not a snapshot of a store; says what is wrong.
    case notASnapshot(String)
    /// The snapshot was written by a version of Baton with another format.
    case unknownFormat(Int)
    /// Optimistic changes are shown, which cannot be put on other data: restore when the mutations have ended and the
    /// updates are reverted.
    case changesInFlight
}

extension SnapshotError: CustomStringConvertible {
    /// What is wrong with the bytes and what to do; one line for a person.
    public var description: String {
        switch self {
        case .notJSON(let error): "the snapshot is not JSON: \(error)"
        case .notASnapshot(let detail): "this is no snapshot of a store: \(detail)"
        case .unknownFormat(let format):
            "the snapshot has format \(format), and this version reads formats 1 to \(SnapshotFormat.version); write it again"
        case .changesInFlight: "optimistic changes are in flight; restore when they have ended"
        }
    }
}

/// How a snapshot is laid out, as canonical JSON.
///
/// ```
/// {"errors":[[id,"key",["message","extensions"]]], "facts":[["Type","Abstract",true]], "fetches":[[age,when]],
///  "fields":["key"], "format":3, "forms":[["Type",field]], "ids":["client:root","1",[0,field,null]],
///  "invalidated":{"records":[[id,when]],"store":when,"types":[["Type",when]]},
///  "operations":[["Name","variables",age,when,revoked,[fetch key]]], "patterns":[[fetched]],
///  "records":[[id,form,fetched,value],[id]]}
/// ```
///
/// An identity is a text, or the place of a record without one: the position of its parent in `ids`, the storage key
/// and the list index. Parents come first. A storage key is its position in `fields`. A record has a form, which says
/// of what type it is and which fields it has, in the order of their keys, and a value for each of them; one without is
/// known not to exist. A value is itself but for `{"link":id}`, `{"links":[id,-1]}`, `{"scalar":"text of its JSON"}`
/// and doubles that canonical JSON would change, `{"double":2}`.
///
/// Identities and records are in the order in which they are found from the root along the links, and what no link
/// leads to comes after that in the order of its text (``SnapshotWalk``).
///
/// An age is in whole milliseconds before the snapshot was taken: clocks of two machines have no beginning in common. A
/// moment (`when`) of an invalidation is its rank, from 1, which it shares with others if no fetch began between them;
/// that of a fetch the rank of the last invalidation before it began, or 0. So what happened in another order, and
/// makes no difference, gives equal bytes. What is `fetched` says for a record the position in `fetches`, `nobody` or
/// `handler`. If its fields come from several answers, it is the number of fetches and a position in `patterns`, which
/// say it for each field.
///
/// Format 2 had the type and the keys in each record, and what is fetched for each field; doubles were all marked.
/// Format 1 had neither `fetches` nor fetch keys. Both are still read.
enum SnapshotFormat {
    static let version = 3
    /// No answer brought it.
    static let nobody = -1
    /// A missing-field handler found it.
    static let handler = -2
    /// How many records without an identity of their own may lie in each other: more than any answer has levels.
    static let deepestPlace = 1024
    /// How many fetch keys of one operation are written.
    static let mostKeys = 16
}
