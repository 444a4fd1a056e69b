// The work of a reader whose plan has @required, @catch, @throwOnFieldError, @defer or @client.

/// The errors of a read, and the current place of the reader.
struct ReaderTrace: Sendable {
    /// A step from one place to the next.
    enum Step: Sendable {
        /// The position of a field among the items of the plan.
        case field(Int)
        case index(Int)
        case fragment(isDeferred: Bool)
    }

    var path: [Step] = []
    /// The errors that are not caught yet.
    var errors: [FieldError] = []
    /// The required fields without a value that are only logged.
    var logged: [FieldError] = []
    /// The number of open `@catch` scopes.
    var scopes = 0
    /// The number of times that errors were caught.
    var caught = 0
    /// The number of enclosing fragments that may arrive later.
    var deferred = 0

    mutating func leave() {
        if case .fragment(isDeferred: true)? = path.popLast() { deferred -= 1 }
    }
}

/// The problems of a whole read.
package struct ReadProblems: Sendable {
    /// The reason why there is no data.
    package let failure: RelayError?
    /// The missing fields with `@required(action: LOG)`, which are to be logged.
    package let logged: [FieldError]
}

extension BoundPlan {
    /// True if the reader has to check fields and not only to read values.
    var isChecked: Bool {
        !markSet.isDisjoint(with: [.required, .catches, .deferred, .client]) || planMarks.throwsOnFieldError
            || planMarks.catches != nil
    }
}

extension GeneratedCode.RecordReader {
    // MARK: - Catching

    /// Reads a field or inline fragment with `body`; returns its value, or the errors at it and below it.
    @inlinable
    public mutating func catching<Value>(
        _ field: Int, _ body: (inout Self) -> Value?
    ) -> FieldResult<Value?> {
        catching(body)
    }

    /// Reads like `catching` for a non-null field: no value is a failure.
    @inlinable
    public mutating func requiredCatching<Value>(
        _ field: Int, _ body: (inout Self) -> Value?
    ) -> FieldResult<Value> {
        requiredCatching(body)
    }

    /// Reads a field or inline fragment with `body`; returns nil if there is an error at it or below it.
    @inlinable
    public mutating func catchingToNull<Value>(_ field: Int, _ body: (inout Self) -> Value?) -> Value? {
        catching(body).value ?? nil
    }

    /// Reads a whole operation or fragment with `body`; returns its value, or the errors in it.
    @inlinable
    public mutating func catching<Value>(_ body: (inout Self) -> Value?) -> FieldResult<Value?> {
        let first = openCatch()
        let value = body(&self)
        let errors = closeCatch(from: first)
        return errors.isEmpty ? .success(value) : .failure(errors)
    }

    /// Reads a whole operation or fragment with `body`; no value is a failure.
    @inlinable
    public mutating func requiredCatching<Value>(_ body: (inout Self) -> Value?) -> FieldResult<Value> {
        let first = openCatch()
        let value = body(&self)
        let errors = closeCatch(from: first)
        if errors.isEmpty, let value { return .success(value) }
        return .failure(errors)
    }

    @usableFromInline
    mutating func openCatch() -> Int {
        trace.scopes += 1
        return trace.errors.count
    }

    @usableFromInline
    mutating func closeCatch(from first: Int) -> [FieldError] {
        trace.scopes -= 1
        isFalling = false
        guard first < trace.errors.count else { return [] }
        trace.caught += 1
        let caught = Array(trace.errors[first...])
        trace.errors.removeSubrange(first...)
        return caught
    }

    // MARK: - Checked reads

    /// True if errors at this place are reported to a caller.
    private var collects: Bool {
        trace.scopes > 0 || plan.planMarks.throwsOnFieldError || plan.planMarks.catches != nil
    }

    private func noteError(_ reason: FieldError.Reason, at item: Int?, in errors: inout [FieldError]) {
        var path = pathComponents(to: trace.path.count)
        if let item { path.append(.key(plan.responseKeys[item])) }
        errors.append(FieldError(reason, path: path, component: plan.component))
    }

    private var plan: BoundPlan { context.plan }

    /// Does the work of `value` for plans with checks; returns nil for an item that the plan does not have.
    mutating func checkedValue(_ field: Int) -> UnsafePointer<Value>? {
        guard let index = item(at: field) else { return nil }
        let position = current.positions[field]
        guard position != ReadContext.excluded else { return nil }
        let value = position >= 0 ? current.values + Int(position) : nil
        var hasServerError = false
        if collects, let errors = context.records.errors(at: plan.items[index].key, of: current.record, with: value) {
            hasServerError = true
            for error in errors { noteError(.server(error), at: index, in: &trace.errors) }
        }
        guard let value else {
            let isExpected = !plan.items[index].marks.contains(.client) && trace.deferred == 0
            if isExpected { isMissingData = true }
            if isExpected, collects, !hasServerError { noteError(.missingData, at: index, in: &trace.errors) }
            require(index)
            return nil
        }
        if case .null = value.pointee { require(index) }
        return value
    }

    /// Reports a field without a value if the field is required.
    private mutating func require(_ index: Int) {
        switch plan.marks[index]?.required {
        case .log: noteError(.missingRequired, at: index, in: &trace.logged)
        case .throw: noteError(.missingRequired, at: index, in: &trace.errors)
        case Optional.none, .some(.none): break
        }
    }

    /// Handles a field whose value could not be read, because a non-null part of it has no value.
    @usableFromInline
    mutating func missed(_ field: Int) {
        endFall(at: field)
        guard isChecked, let index = item(at: field), let action = plan.marks[index]?.required, action != .none else {
            return
        }
        var own: [FieldError] = []
        noteError(.missingRequired, at: index, in: &own)
        // The field below that has no value has just reported the error.
        let told = action == .log ? trace.logged.last : trace.errors.last { $0.reason == .missingRequired }
        if let told, let error = own.first, told.path.starts(with: error.path) { return }
        require(index)
    }

    /// Leaves steps of the path until its length is `depth`.
    mutating func leave(to depth: Int) {
        while trace.path.count > depth { trace.leave() }
    }

    /// Notes that a record, or a fact about its type, is missing in the store.
    @inline(never)
    mutating func noteMissing() {
        guard isChecked else {
            isMissingData = true
            return
        }
        guard trace.deferred == 0 else { return }
        isMissingData = true
        if collects { noteError(.missingData, at: nil, in: &trace.errors) }
    }

    /// The problems of the whole read; nil if there are none.
    var problems: ReadProblems? {
        guard isChecked, !trace.errors.isEmpty || !trace.logged.isEmpty else { return nil }
        var failure: RelayError?
        if plan.planMarks.throwsOnFieldError, !trace.errors.isEmpty {
            failure = .fieldErrors(trace.errors)
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
