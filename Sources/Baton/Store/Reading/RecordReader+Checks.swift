// The work of a reader whose plan has @required, @catch, @throwOnFieldError, @defer or @client.

extension RecordReader {
    /// Reads one item in a plan with checks. Returns false if the enclosing object has no value, because the item has
    /// none.
    mutating func checkedStep(_ step: UnsafePointer<ResultLayout.Step>, _ place: Place, _ old: Int) -> Bool {
        guard plan.items[step.pointee.item].marks.contains(.catches) else { return uncaught(step, place, old) }
        trace.scopes += 1
        let first = trace.errors.count
        let hasValue = uncaught(step, place, old)
        trace.scopes -= 1
        isFalling = false
        let errors = Array(trace.errors[first...])
        if !errors.isEmpty {
            trace.caught += 1
            trace.errors.removeSubrange(first...)
        }
        let isNull = plan.marks[step.pointee.item]?.catches == .null
        if isNull {
            if !errors.isEmpty { self[place.index &+ step.pointee.catchWord] = Shelf.caughtAsNull }
        } else if !errors.isEmpty || !hasValue {
            frame.rest.caught.append(errors)
            self[place.index &+ step.pointee.catchWord] = UInt32(truncatingIfNeeded: frame.rest.caught.count)
        }
        return true
    }

    private mutating func uncaught(_ step: UnsafePointer<ResultLayout.Step>, _ place: Place, _ old: Int) -> Bool {
        switch step.pointee.kind {
        case .inline: return inline(step, place, old)
        case .spread: return spread(step, place)
        case .dataID: return dataID(step, place)
        case .object, .objects, .leaf, .checkedLeaf: break
        }
        let value = checkedValue(step, place)
        let isDeferred = plan.items[step.pointee.item].marks.contains(.deferred)
        if isDeferred { trace.enterDeferred() }
        defer { if isDeferred { trace.leave() } }
        switch step.pointee.kind {
        case .object: return object(step, value, place, old)
        case .objects: return objects(step, value, place, old)
        case .leaf:
            let holds = leaf(step, value, place)
            if self[place.index &+ step.pointee.word] == Shelf.noLeaf, value != nil,
                plan.types[step.pointee.item].isNonNull(1)
            {
                missed(step.pointee.item)
            }
            return holds
        default:
            let hasValue = value.map { isReadable($0.pointee, plan.types[step.pointee.item]) } ?? false
            return hasValue || !plan.items[step.pointee.item].isRequired
        }
    }

    private func isReadable(_ value: borrowing Value, _ type: BoundType) -> Bool {
        guard type.listDepth > 0 else { return value.isReadable(as: type) }
        switch copy value {
        case .list: return true
        case .links(let links): return links.isEmpty
        default: return false
        }
    }

    /// Returns the value of a field. Reports its errors, and a missing or required value.
    private mutating func checkedValue(
        _ step: UnsafePointer<ResultLayout.Step>, _ place: Place
    ) -> UnsafePointer<Value>? {
        let index = step.pointee.item
        let item = plan.items[index]
        let position = place.positions[step.pointee.field]
        let value = position >= 0 ? place.values + Int(position) : nil
        var hasServerError = false
        if collects, let errors = records.errors(at: item.key, of: place.record, with: value) {
            hasServerError = true
            for told in errors { trace.errors.append(error(.server(told), at: index)) }
        }
        guard let value else {
            let isExpected = item.marks.isDisjoint(with: [.client, .deferred]) && trace.deferred == 0
            if isExpected { frame.isMissing = true }
            if isExpected, collects, !hasServerError { trace.errors.append(error(.missingData, at: index)) }
            require(index)
            return nil
        }
        if case .null = value.pointee { require(index) }
        return value
    }

    /// True if errors at this place are reported to a caller.
    private var collects: Bool {
        trace.scopes > 0 || plan.planMarks.throwsOnFieldError || plan.planMarks.catches != nil
    }

    private mutating func error(_ reason: FieldError.Reason, at item: Int?) -> FieldError {
        remaining &-= Self.wordsOfError
        var path = path
        if let item { path.append(.key(plan.responseKeys[item])) }
        return FieldError(reason, path: path, component: plan.component)
    }

    /// The path of the reader's place.
    private var path: [JSONValue.PathComponent] {
        trace.path.compactMap { step in
            switch step {
            case .field(let item): .key(plan.responseKeys[item])
            case .index(let index): .index(index)
            case .fragment: nil
            }
        }
    }

    /// Reports a field without a value if the field is required.
    private mutating func require(_ index: Int) {
        switch plan.marks[index]?.required {
        case .log: trace.logged.append(error(.missingRequired, at: index))
        case .throw: trace.errors.append(error(.missingRequired, at: index))
        case Optional.none, .some(.none): break
        }
    }

    /// Handles a field whose value could not be read, because a non-null part of it has no value.
    mutating func missed(_ index: Int) {
        guard let action = plan.marks[index]?.required, action != .none else { return }
        let own = error(.missingRequired, at: index)
        // The inner field without a value has just reported the error.
        let told = action == .log ? trace.logged.last : trace.errors.last { $0.reason == .missingRequired }
        if let told, told.path.starts(with: own.path) { return }
        require(index)
    }

    /// Notes that a record, or a fact about its type, is missing in the store.
    @inline(never)
    mutating func noteMissing() {
        guard isChecked else {
            frame.isMissing = true
            return
        }
        guard trace.deferred == 0 else { return }
        frame.isMissing = true
        if collects { trace.errors.append(error(.missingData, at: nil)) }
    }

    /// The problems of the whole read; nil if there are none.
    var problems: ReadProblems? {
        if isTooLarge {
            let limit = plan.names.resultWords &* 4
            return ReadProblems(failure: .resultTooLarge(component: plan.component, limit: limit), logged: [])
        }
        guard isChecked, !trace.errors.isEmpty || !trace.logged.isEmpty else { return nil }
        var failure: RelayError?
        // Errors that `@catch(to: RESULT)` of the whole plan has caught are given to the caller in place of the data.
        if plan.planMarks.throwsOnFieldError || plan.planMarks.catches == .result, !trace.errors.isEmpty {
            let isCaught = !plan.planMarks.throwsOnFieldError
            failure = .fieldErrors(
                trace.errors.map { error in
                    var error = error
                    error.isCaught = isCaught
                    return error
                })
        } else if plan.planMarks.catches != .null {
            failure = trace.errors.first { $0.reason == .missingRequired }.map {
                .missingRequiredField(path: $0.path, component: $0.component)
            }
        }
        return ReadProblems(failure: failure, logged: trace.logged)
    }

    /// True if the plan has `@catch(to: NULL)` as a whole and the read found an error.
    var isCaughtAsNull: Bool { isChecked && plan.planMarks.catches == .null && !trace.errors.isEmpty }
}
