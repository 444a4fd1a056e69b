/// The passage of a publication into the newest version, in one turn.
///
/// It owns what may be freed only after the lock is released, because objects of the application may be freed with it:
/// the staged values, the version that they were compared with, and the check.
struct Passage: ~Copyable {
    var publication: Publication
    /// The publication before it was fitted to a version; nil if no layer can make it begin again.
    private var asItCame: Publication?
    private var blocks: [RecordBlock] = []
    private var found: [FoundField] = []
    private var base: Records?
    private var check: UpdateCheck?

    init(_ publication: consuming Publication) { self.publication = publication }

    /// Keeps the staged values. The compared version is left out if the newest version shares its values, because a
    /// held version would be copied when it changes (benchmark `small.write-us`).
    mutating func keepValues(besides newest: NewestRecords) {
        blocks = publication.records.blocks
        found = publication.records.found
        guard let old = publication.records.base else { return }
        if !newest.look({ old.sharesValues(with: $0) }) { base = old }
    }

    /// Returns true if the data that an update has read is still the same. The check is not needed afterwards.
    mutating func passesCheck(in newest: NewestRecords, at epoch: Epoch, _ names: NameTable) -> Bool {
        guard let check = publication.check else { return true }
        if check.isCurrent(at: epoch) { return true }
        self.check = check
        return newest.look { check.holds(in: $0, names) }
    }

    /// Keeps a copy, for the case that layers have to run. Other publishes may land meanwhile.
    mutating func keepCopy() { asItCame = publication.copy() }

    /// Takes the publication back to what it was before it was fitted.
    mutating func beginAgain() {
        if let asItCame = asItCame.take() { publication = asItCame }
    }

    /// Lets go of other references to the version and its parts: a merge in place needs the only one.
    mutating func letGo(at epoch: Epoch) {
        asItCame = nil
        if let check = publication.check, check.isCurrent(at: epoch) { check.letGo() }
        publication.check = nil
    }
}
