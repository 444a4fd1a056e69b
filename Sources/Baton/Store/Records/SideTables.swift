/// The tables of a version that most readers do not need, boxed together.
///
/// A copy of the version then counts one reference for all of them (benchmark `fragments.vs-foundation`).
struct SideTables: Sendable {
    /// The blocks with room.
    var directory = BlockDirectory()
    /// The slots of a page without records.
    var vacantPage = RecordPages.untouchedPage
    /// The known relations between object types and abstract types.
    var facts = TypeFacts()
    /// The server's errors for fields without a value.
    var fieldErrors = FieldErrors()
    /// The versions of the last invalidations.
    var invalidations = Invalidations()
    /// The responses that brought the fields of the records.
    var stamps = FetchStamps()
    /// The base of each record that an optimistic layer writes.
    var covered: [RecordID: WholeRecord] = [:]
    /// The records of which the file has nothing more; nil if the store has no file.
    var residence: Residence?
}

extension Records {
    var directory: BlockDirectory {
        @inline(__always) _read { yield sideTables.directory }
        @inline(__always) _modify { yield &sideTables.directory }
    }
    var vacantPage: [Slot] {
        _read { yield sideTables.vacantPage }
        _modify { yield &sideTables.vacantPage }
    }
    var facts: TypeFacts {
        _read { yield sideTables.facts }
        _modify { yield &sideTables.facts }
    }
    var fieldErrors: FieldErrors {
        _read { yield sideTables.fieldErrors }
        _modify { yield &sideTables.fieldErrors }
    }
    var invalidations: Invalidations {
        _read { yield sideTables.invalidations }
        _modify { yield &sideTables.invalidations }
    }
    var stamps: FetchStamps {
        _read { yield sideTables.stamps }
        _modify { yield &sideTables.stamps }
    }
    var covered: [RecordID: WholeRecord] {
        _read { yield sideTables.covered }
        _modify { yield &sideTables.covered }
    }
    var residence: Residence? {
        _read { yield sideTables.residence }
        _modify { yield &sideTables.residence }
    }
}
