/// Why bytes could not be restored; the store is as it was.
public enum SnapshotError: Error, Sendable, Hashable {
    /// The bytes are no JSON.
    case notJSON(JSONError)
    /// The bytes are JSON, but not a snapshot of a store; says what is wrong.
    case notASnapshot(String)
    /// The snapshot was written by a version of Baton with another format.
    case unknownFormat(Int)
    /// Optimistic changes are in flight, which cannot be put on other data.
    case changesInFlight
}

extension SnapshotError: CustomStringConvertible {
    /// What is wrong with the bytes and what to do; one line for a person.
    public var description: String {
        switch self {
        case .notJSON(let error): "the snapshot is not JSON: \(error)"
        case .notASnapshot(let detail): "this is no snapshot of a store: \(detail)"
        case .unknownFormat(let format):
            "the snapshot has format \(format), and this version reads format \(SnapshotFormat.version); write it again"
        case .changesInFlight: "optimistic changes are in flight; restore when they have ended"
        }
    }
}

/// How a snapshot is laid out, as canonical JSON.
///
/// ```
/// {"errors":[[id,"key",["message","extensions"]]], "facts":[["Type","Abstract",true]], "format":1,
///  "ids":["client:root","1",[0,"hero",null]], "invalidated":{"records":[[id,when]],"store":when,"types":[["Type",when]]},
///  "operations":[["Name","variables",age in ms,when,revoked]], "records":[[id,"Type",["key",value]],[id]]}
/// ```
///
/// An identity is a text, or the place of a record without one: the position of its parent in `ids`, the storage key and the list index. Parents come first; else
/// identities are in the order of their text. A record without a type is known not to exist. A value is itself but for `{"link":id}`, `{"links":[id,-1]}`,
/// `{"double":1.5}` and `{"scalar":"text of its JSON"}`. A moment (`when`) is its rank among those in the snapshot, so that equal stores give equal bytes.
enum SnapshotFormat {
    static let version = 1
}

/// A snapshot as it was read and checked, before anything of it is in a store.
struct DecodedSnapshot {
    enum Identity {
        case text(String)
        case place(parent: Int, key: String, index: UInt32)
    }

    /// A value whose links are positions in `ids`, with -1 for null.
    indirect enum StoredValue {
        case plain(Value)
        case link(Int)
        case links([Int])
        case list([StoredValue])
    }

    struct Record {
        let id: Int
        /// Nil if it is known not to exist.
        let type: String?
        let fields: [(key: String, value: StoredValue)]
    }

    struct Operation {
        let name: String
        /// Canonical JSON.
        let variables: String
        let age: Duration
        let moment: Int
        let isRevoked: Bool
    }

    var ids: [Identity] = []
    var records: [Record] = []
    var facts: [(type: String, abstractType: String, holds: Bool)] = []
    var errors: [(id: Int, key: String, errors: [GraphQLError])] = []
    var storeInvalidated: Int?
    var invalidatedRecords: [(id: Int, moment: Int)] = []
    var invalidatedTypes: [(type: String, moment: Int)] = []
    var operations: [Operation] = []
    /// One more than the highest moment.
    var moments = 0
}
