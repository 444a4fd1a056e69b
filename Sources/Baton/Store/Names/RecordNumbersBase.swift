/// A table of numbers that is complete. Any number of tables may lie over it.
final class RecordNumbersBase: Sendable {
    let numbers: RecordNumbers

    init(_ numbers: RecordNumbers) { self.numbers = numbers }
}
