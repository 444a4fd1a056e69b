extension QueryCore {
    func performInLock(_ effect: QueryMachine.InLock) -> QueryMachine.Event? {
        let store = environment.store
        switch effect {
        case .subscribe(let result, let former):
            let (id, hasChanged) = store.subscribe(quietly: self, to: result.dependencies, replacing: former)
            return .subscribed(id, hasChanged: hasChanged)
        case .subscribeSearch(let gap, let former, let changes):
            let (id, hasChanged) = store.subscribe(quietly: self, to: gap, replacing: former)
            return .searching(id, changes: changes, hasChanged: hasChanged)
        case .clear(let id): store.clear(id)
        case .unsubscribe(let id): store.unsubscribe(id)
        }
        return nil
    }

    func answer(_ effect: QueryMachine.Caller) -> QueryMachine.Event? {
        switch effect {
        case .inquire(let inquiry): return .known(facts(for: inquiry), inquiry)
        case .show(let before): _ = show(after: before)
        case .mark:
            count.mark()
            observers.notify()
        case .confirmArriving(let query):
            let (operation, store) = (query.operation, environment.store)
            if store.needsSuspendedFile(operation.reader.plan, at: operation.root) {
                store.whenFileIsOpen(self) { [weak self] in
                    self?.count.mark()
                    self?.observers.notify()
                }
                break
            }
            if store.isArriving(at: operation.root, operation.reader) { break }
            count.mark()
            observers.notify()
        case .reportMissing(let query):
            let operation = query.operation
            environment.reportMissing(component, operation, operation.reader, at: operation.root)
        case .refuse, .discard: break
        }
        return nil
    }

    func perform(_ effect: QueryMachine.Queued) {
        switch effect {
        case .start(let start): begin(start)
        case .abandon(let number): requests.abandon(number)
        case .finish(let number): requests.finish(number)
        case .release(let operation): environment.operations.release(operation)
        case .resume(let completion, let error): completion.finish(error)
        case .log(let cause, let operation):
            environment.emit(.refreshed(LogEvent.Refresh(operationName: operation.artifact.name, cause: cause)))
        }
    }

    private func begin(_ start: QueryMachine.Start) {
        let operation = start.query.operation
        let call = RequestCall(
            operation: operation, component: options.component, updater: options.updater,
            key: start.query.key.map { FetchKey($0) },
            policy: operation.artifact.kind == .query ? options.policy : nil, configuration: options.configuration,
            preloaded: start.preloaded, asksAgain: start.sharing == .inFlight, changesKey: start.sharing == .underKey)
        let number = start.number
        requests.start(number, call, in: environment) { [weak self] event in self?.receive(event, for: number) }
    }
}
