// What a machine does with an event that comes too late.

extension QueryMachine {
    /// Handles an event after the end: what it has brought along is given back.
    func refuse(_ event: Event, _ effects: inout Effects) {
        switch event {
        case .asked(let ask): giveBack(ask, &effects)
        case .refetched(let completion), .retried(let completion): effects = [.queue(.resume(completion, .cancelled))]
        case .landed(_, let payload):
            if let event = payload.event { effects = [.queue(.release(event))] }
        case .known(_, let inquiry):
            switch inquiry.cause {
            case .asked(let ask): giveBack(ask, &effects)
            case .refetched(let completion), .retried(let completion):
                effects = [.queue(.resume(completion, .cancelled))]
            default: break
            }
        default: break
        }
    }

    func giveBack(_ ask: Inquiry.Ask, _ effects: inout Effects) {
        if ask.novelty == .operation { effects.append(.queue(.release(ask.query.operation))) }
    }

    /// Has a call made again, because another query is requested since.
    func refuse(_ ask: Inquiry.Ask, _ effects: inout Effects) {
        giveBack(ask, &effects)
        effects.append(.caller(.refuse))
    }
}
