/// The shared forms that a batch of records uses, and those that the file is known to have.
struct DiskForms {
    /// The forms that the batch brings, by number.
    private(set) var new: [UInt64: [UInt8]] = [:]
    private var numbers: [DiskForm: UInt64] = [:]
    private var taken: [UInt64: DiskForm] = [:]

    init() {}

    /// Returns the number of a form; nil if the form must stand in the record itself.
    mutating func number(of form: DiskForm) -> UInt64? {
        if let known = numbers[form] { return known }
        guard form.isShared else { return nil }
        let bytes = form.bytes
        let number = DiskForm.number(of: bytes)
        // Two forms with one number are as good as impossible, and the later one stands in its records.
        if let other = taken[number], other != form { return nil }
        numbers[form] = number
        taken[number] = form
        new[number] = bytes
        return number
    }

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
