/// Why bytes could not be restored; the store is as it was.
public enum SnapshotError: Error, Sendable, Hashable {
    /// The bytes are no JSON.
    case notJSON(JSONError)
    /// The bytes are JSON, but not a snapshot of a store; says what is wrong.
    case notASnapshot(String)
    /// The snapshot was written by a version of Baton with another format.
    case unknownFormat(Int)
    /// Optimistic changes are shown, which cannot be put on other data: restore when the mutations have ended and the updates are reverted.
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
/// {"errors":[[id,"key",["message","extensions"]]], "facts":[["Type","Abstract",true]], "fetches":[[age,when]], "format":2,
///  "ids":["client:root","1",[0,"hero",null]], "invalidated":{"records":[[id,when]],"store":when,"types":[["Type",when]]},
///  "operations":[["Name","variables",age,when,revoked,[fetch key]]], "records":[[id,"Type",["key",value],fetched],[id]]}
/// ```
///
/// An identity is a text, or the place of a record without one: the position of its parent in `ids`, the storage key and the list index. Parents come first; else
/// identities are in the order of their text. A record without a type is known not to exist. A value is itself but for `{"link":id}`, `{"links":[id,-1]}`,
/// `{"double":1.5}` and `{"scalar":"text of its JSON"}`.
///
/// An age is in whole milliseconds before the snapshot was taken: clocks of two machines have no beginning in common. A moment (`when`) of an invalidation is its
/// rank, from 1, which it shares with others if no fetch began between them; that of a fetch the rank of the last invalidation before it began, or 0. So what happened in
/// another order, and makes no difference, gives equal bytes. What is `fetched` says for a
/// record, or in a list for each of its fields, the position in `fetches`, `nobody` or `handler`; it is left out where no answer brought anything.
///
/// Format 1 had neither `fetches` nor fetch keys, and is still read.
enum SnapshotFormat {
    static let version = 2
    /// No answer brought it.
    static let nobody = -1
    /// A missing-field handler found it.
    static let handler = -2
    /// How many records without an identity of their own may lie in each other: more than any answer has levels.
    static let deepestPlace = 1024
    /// How many fetch keys of one operation are written.
    static let mostKeys = 16
}

/// A snapshot as it was read and checked, before anything of it is in a store.
struct DecodedSnapshot {
    enum Identity {
        case text(String)
        case place(parent: Int, key: String, index: UInt32)
    }

    /// What records have in common.
    struct Form {
        let type: String
        /// In the order of the values.
        let keys: [String]
    }

    struct Record {
        let id: Int
        /// The position of its form in `forms`; nil if it is known not to exist.
        let form: Int?
        /// Its values in `values`.
        let values: Range<Int>
        var fetched = Fetched.never
    }

    /// Who brought a field.
    enum Source {
        case nobody
        case handler
        /// The fetch at this position.
        case fetch(Int)
    }

    /// Who brought the fields of a record.
    enum Fetched {
        case never
        case whole(Source)
        /// In the order of the fields.
        case fields([Source])
    }

    struct Operation {
        let name: String
        /// Canonical JSON.
        let variables: String
        let age: Duration
        let moment: Int
        let isRevoked: Bool
        let keys: FetchKeys
    }

    var ids: [Identity] = []
    var forms: [Form] = []
    var records: [Record] = []
    /// The values of all records. The number of a record in them is its position in `ids`.
    var values: [Value] = []
    var facts: [(type: String, abstractType: String, holds: Bool)] = []
    var errors: [(id: Int, key: String, errors: [GraphQLError])] = []
    var storeInvalidated: Int?
    var invalidatedRecords: [(id: Int, moment: Int)] = []
    var invalidatedTypes: [(type: String, moment: Int)] = []
    var operations: [Operation] = []
    var fetches: [(age: Duration, moment: Int)] = []
    /// One more than the highest moment.
    var moments = 0
}
