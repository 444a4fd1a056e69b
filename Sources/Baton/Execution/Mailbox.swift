/// The deliveries that wait for one observing actor.
///
/// At most one task empties it, so what is delivered to an actor is in order, and a publish that concerns a thousand
/// handles of one screen costs one hop to its actor. What comes while it is emptied waits for another hop: the actor's
/// own messages have their turn in between.
final class Mailbox<Observer: Actor>: Sendable {
    private let letters: Guarded<[any Letter<Observer>]>

    init(first letter: any Letter<Observer>) {
        letters = Guarded([letter])
    }

    /// Adds a delivery; false if the mailbox was closed because it had nothing more to give.
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

/// One delivery, made of what is newest when it is opened.
protocol Letter<Observer>: Sendable {
    associatedtype Observer: Actor
    /// Runs the observer's body, unless it was cancelled or has seen the newest state.
    func open(on observer: isolated Observer)
}

/// The mailboxes that are not empty, by actor.
///
/// State: `boxes`, guarded by its own lock, outside that of each mailbox: nothing else is called while it is held.
final class PostOffice: Sendable {
    private let boxes = Guarded<[ObjectIdentifier: AnyObject & Sendable]>([:], .mailboxes)
    private let activity: Activity

    init(activity: Activity) {
        self.activity = activity
    }

    /// Puts a letter into the actor's mailbox, and sends a carrier if none is on the way.
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
            // Leaves the actor and joins its queue at the end. A loop over calls of an isolated function need not: the
            // hops between them may be optimized away.
            await Task.yield()
        }
        activity.deliveryEnded()
    }
}
