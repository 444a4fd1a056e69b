/// The shared forms that a batch of records uses, and those that the file is known to have.
struct DiskForms {
    /// The forms that the batch brings, by number.
    private(set) var new: [UInt64: [UInt8]] = [:]
    private var numbers: [DiskForm: UInt64] = [:]
    private var taken: [UInt64: DiskForm] = [:]

    init() {}

    /// Where a record has its form.
    enum Place {
        case shared(UInt64)
        /// The form stands in the record itself.
        case own(DiskForm)
    }

    /// Returns where a record with this form has it, and adds the form if it is a new shared one.
    mutating func place(of form: DiskForm) -> Place {
        if let known = numbers[form] { return .shared(known) }
        guard form.isShared else { return .own(form) }
        let bytes = form.bytes
        let number = DiskForm.number(of: bytes)
        // Two forms with one number are as good as impossible, and the later one stands in its records.
        if let other = taken[number], other != form { return .own(form) }
        numbers[form] = number
        taken[number] = form
        new[number] = bytes
        return .shared(number)
    }

    /// All known forms, by number.
    var all: [UInt64: [UInt8]] { taken.mapValues(\.bytes) }

    /// Notes that the file has all forms so far.
    mutating func noteWritten() { new = [:] }

    /// Notes a form that the file has.
    mutating func note(_ form: DiskForm, _ number: UInt64) {
        guard taken[number] == nil else { return }
        taken[number] = form
        numbers[form] = number
    }

    /// Returns the form of a number; nil if no record of this process has used it.
    subscript(number: UInt64) -> DiskForm? { taken[number] }
}
