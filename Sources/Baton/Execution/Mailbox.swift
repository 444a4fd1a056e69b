/// The waiting deliveries for one observing actor.
///
/// At most one task empties the mailbox, so deliveries to an actor are in order. A publish that concerns a thousand
/// handles of one screen therefore costs one hop to its actor. Deliveries that arrive meanwhile wait for another hop,
/// so that the actor's own messages have their turn in between.
final class Mailbox<Observer: Actor>: Sendable {
    private let letters: Guarded<[any Letter<Observer>]>

    init(first letter: any Letter<Observer>) {
        letters = Guarded([letter])
    }

    /// Adds a delivery.
    fileprivate func add(_ letter: any Letter<Observer>) {
        letters.withLock { $0.append(letter) }
    }

    fileprivate var isEmpty: Bool { letters.withLock { $0.isEmpty } }

    fileprivate func takeAll() -> [any Letter<Observer>] {
        letters.withLock { letters in
            let taken = letters
            letters = []
            return taken
        }
    }
}

/// One delivery. It is made from the newest state when it is opened.
protocol Letter<Observer>: Sendable {
    associatedtype Observer: Actor
    /// Runs the observer's body, unless it was cancelled or has already seen the newest state.
    func open(on observer: isolated Observer)
}

/// The mailboxes that are not empty, by actor.
///
/// State: `boxes`, guarded by a lock of its own, which is taken before those of the mailboxes. Nothing else is called
/// while it is held.
final class PostOffice: Sendable {
    private let boxes = Guarded<[ObjectIdentifier: AnyObject & Sendable]>([:], .mailboxes)
    private let activity: Activity

    init(activity: Activity) {
        self.activity = activity
    }

    /// Puts a letter into the actor's mailbox, and starts a task if none is emptying it.
    func post<Observer: Actor>(_ letter: any Letter<Observer>, to observer: Observer) {
        let key = ObjectIdentifier(observer)
        let opened: Mailbox<Observer>? = boxes.withLock { boxes in
            if let box = boxes[key] as? Mailbox<Observer> {
                box.add(letter)
                return nil
            }
            let box = Mailbox(first: letter)
            boxes[key] = box
            return box
        }
        guard let opened else { return }
        activity.deliveryStarted()
        Task { await empty(opened, key, on: observer) }
    }

    private func empty<Observer: Actor>(
        _ box: Mailbox<Observer>, _ key: ObjectIdentifier, on observer: isolated Observer
    ) async {
        while true {
            for letter in box.takeAll() { letter.open(on: observer) }
            let isEmpty = boxes.withLock { boxes in
                guard box.isEmpty else { return false }
                boxes[key] = nil
                return true
            }
            if isEmpty { break }
            // The task leaves the actor and joins the end of its queue. A loop over calls of an isolated function might
            // not, because the hops in between may be optimized away.
            await Task.yield()
        }
        activity.deliveryEnded()
    }
}
