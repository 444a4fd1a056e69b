import Testing

@testable import Baton

/// What query and fragment handles have in common: whether the last read is the newest, and whether what is shown
/// changes.
@Suite struct ReaderTests {
    /// Shows something; returns the publish of the new reading, and nil if there is none.
    private static func show(
        _ reader: inout Reader, _ shown: Reader.Shown, isDifferent: Bool = false, publish: Int? = nil,
        arrival: Int? = nil
    ) -> Int?? {
        let before = reader.reading?.storeChange?.revision
        let isNew = reader.show(shown, isDifferent: isDifferent, publish: publish, arrival: arrival, .data(nil))
        guard isNew else { return .none }
        guard let change = reader.reading?.storeChange, change.revision != before else { return .some(nil) }
        return .some(change.publish)
    }

    @Test func whatIsReadIsCurrentUntilSomethingIsCounted() {
        var reader = Reader(.former)
        #expect(reader.mustRead(at: 0))
        let moves = reader.moves
        #expect(reader.accept(since: moves, at: 0) == true)
        #expect(!reader.mustRead(at: 0))
        #expect(reader.mustRead(at: 1))
        #expect(reader.accept(since: moves, at: 1) == false)
        reader.targetChanged()
        #expect(reader.mustRead(at: 0))
        _ = reader.close()
        #expect(!reader.mustRead(at: 1))
        #expect(reader.accept(since: reader.moves, at: 1) == false)
    }

    @Test func aPublishIsTheReasonOfWhatItChangesAlone() {
        var reader = Reader(.former)
        #expect(Self.show(&reader, .data, isDifferent: true, publish: 1) == .some(nil))
        #expect(Self.show(&reader, .data, isDifferent: false, publish: 2) == .none)
        #expect(Self.show(&reader, .data, isDifferent: true, publish: 3) == .some(3))
        #expect(Self.show(&reader, .loading, isDifferent: true, publish: 4) == .some(nil))
        #expect(Self.show(&reader, .loading, isDifferent: true, publish: 5) == .none)
        #expect(Self.show(&reader, .data, isDifferent: false, publish: 6, arrival: 7) == .some(7))
    }

    @Test func anotherTargetWithEqualDataShowsNothingNew() {
        var reader = Reader(.former)
        _ = Self.show(&reader, .data, isDifferent: true, publish: 1)
        reader.targetChanged()
        #expect(Self.show(&reader, .data, isDifferent: false, publish: 2) == .none)
        reader.targetChanged()
        #expect(Self.show(&reader, .data, isDifferent: true, publish: 3) == .some(nil))
    }

    @Test func oneFailureIsToldFromAnother() {
        var reader = Reader(.present)
        #expect(Self.show(&reader, .failure(1)) == .some(nil))
        #expect(Self.show(&reader, .failure(1)) == .none)
        #expect(Self.show(&reader, .failure(2)) == .some(nil))
    }
}
