import Dispatch
import Testing

@testable import Baton

/// An object that is made when it is first needed.
@Suite struct LateReferenceTests {
    private final class Thing: Sendable {}

    private struct Owner: ~Copyable {
        let reference = LateReference<Thing>()
    }

    @Test func theFirstObjectStays() {
        let owner = Owner()
        #expect(owner.reference.load() == nil)
        let first = Thing()
        #expect(owner.reference.storeIfNil(first) === first)
        #expect(owner.reference.storeIfNil(Thing()) === first)
        #expect(owner.reference.load() === first)
    }

    @Test func theObjectLivesAsLongAsTheReference() {
        weak var thing: Thing?
        weak var other: Thing?
        do {
            let owner = Owner()
            do {
                let (made, late) = (Thing(), Thing())
                (thing, other) = (made, late)
                _ = owner.reference.storeIfNil(made)
                _ = owner.reference.storeIfNil(late)
            }
            #expect(thing != nil)
            #expect(other == nil)
            #expect(owner.reference.load() === thing)
        }
        #expect(thing == nil)
    }

    @Test func threadsAgreeOnOneObject() {
        final class Shared: Sendable {
            let reference = LateReference<Thing>()
            let found = Guarded<Set<ObjectIdentifier>>([])
        }
        for _ in 0..<100 {
            let shared = Shared()
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                let thing = shared.reference.load() ?? shared.reference.storeIfNil(Thing())
                _ = shared.found.withLock { $0.insert(ObjectIdentifier(thing)) }
            }
            #expect(shared.found.withLock { $0.count } == 1)
        }
    }
}
