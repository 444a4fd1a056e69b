// What a plan with @required, @catch, @throwOnFieldError, @defer or @client asks of a reader.

/// What went wrong during a read, and where the reader stands.
struct ReaderTrace: Sendable {
    /// How the reader came from one place to the next.
    enum Step: Sendable {
        /// The position of a field among the items of the plan.
        case field(Int)
        case index(Int)
        case fragment(isDeferred: Bool)
    }

    var path: [Step] = []
    /// Errors that nobody has caught yet.
    var errors: [FieldError] = []
    /// Required fields that were null or missing and are only to be logged.
    var logged: [FieldError] = []
    /// How many `@catch` are open.
    var scopes = 0
    /// How often errors were caught.
    var caught = 0
    /// How many fragments around may come later.
    var deferred = 0

    mutating func leave() {
        if case .fragment(isDeferred: true)? = path.popLast() { deferred -= 1 }
    }
}

/// What is wrong with a read as a whole.
package struct ReadProblems: Sendable {
    /// Why there is no data.
    package let failure: RelayError?
    /// What is to be told to the log: missing fields with `@required(action: LOG)`.
    package let logged: [FieldError]
}

extension BoundPlan {
    /// A reader has to look at more than values.
    var isChecked: Bool {
        !markSet.isDisjoint(with: [.required, .catches, .deferred, .client]) || planMarks.throwsOnFieldError
            || planMarks.catches != nil
    }
}

extension GeneratedCode.RecordReader {
    // MARK: - Catching

    /// The value that the body reads of a field or inline fragment, or the errors at it and below it.
    @inlinable
    public mutating func catching<Value>(
        _ field: Int, _ body: (inout Self) -> Value?
    ) -> FieldResult<Value?> {
        catching(body)
    }

    /// Like `catching` for a field that is not null: without a value it is a failure.
    @inlinable
    public mutating func requiredCatching<Value>(
        _ field: Int, _ body: (inout Self) -> Value?
    ) -> FieldResult<Value> {
        requiredCatching(body)
    }

    /// Nil for a field or inline fragment with an error at it or below it, else what the body reads.
    @inlinable
    public mutating func catchingToNull<Value>(_ field: Int, _ body: (inout Self) -> Value?) -> Value? {
        catching(body).value ?? nil
    }

    /// The same for all that an operation or fragment reads.
    @inlinable
    public mutating func catching<Value>(_ body: (inout Self) -> Value?) -> FieldResult<Value?> {
        let first = openCatch()
        let value = body(&self)
        let errors = closeCatch(from: first)
        return errors.isEmpty ? .success(value) : .failure(errors)
    }

    /// The same for all that an operation or fragment reads, of which no value is a failure.
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

    // MARK: - What the reader calls if its plan has such marks

    /// Somebody wants to know of errors here.
    private var collects: Bool {
        trace.scopes > 0 || plan.planMarks.throwsOnFieldError || plan.planMarks.catches != nil
    }

    private func note(_ reason: FieldError.Reason, at item: Int?, in errors: inout [FieldError]) {
        var path = pathComponents(to: trace.path.count)
        if let item { path.append(.key(plan.responseKeys[item])) }
        errors.append(FieldError(reason, path: path, component: plan.component))
    }

    private var plan: BoundPlan { context.plan }

    /// What `value` does where fields are checked; nil for an item that the plan does not have.
    mutating func checkedValue(_ field: Int) -> UnsafePointer<Value>? {
        guard let index = item(at: field) else { return nil }
        let position = current.positions[field]
        guard position != ReadContext.excluded else { return nil }
        let value = position >= 0 ? current.values + Int(position) : nil
        var hasServerError = false
        if collects, let errors = context.records.errors(at: plan.items[index].key, of: current.record, with: value) {
            hasServerError = true
            for error in errors { note(.server(error), at: index, in: &trace.errors) }
        }
        guard let value else {
            let isExpected = !plan.items[index].marks.contains(.client) && trace.deferred == 0
            if isExpected { isMissingData = true }
            if isExpected, collects, !hasServerError { note(.missingData, at: index, in: &trace.errors) }
            require(index)
            return nil
        }
        if case .null = value.pointee { require(index) }
        return value
    }

    /// Tells of a field without a value if it is required.
    private mutating func require(_ index: Int) {
        switch plan.marks[index]?.required {
        case .log: note(.missingRequired, at: index, in: &trace.logged)
        case .throw: note(.missingRequired, at: index, in: &trace.errors)
        case Optional.none, .some(.none): break
        }
    }

    /// A field has a value, which could not be read: something in it that must not be null has none.
    @usableFromInline
    mutating func missed(_ field: Int) {
        endFall(at: field)
        guard isChecked, let index = item(at: field), let action = plan.marks[index]?.required, action != .none else {
            return
        }
        var own: [FieldError] = []
        note(.missingRequired, at: index, in: &own)
        // The field further down that began it has told, just now.
        let told = action == .log ? trace.logged.last : trace.errors.last { $0.reason == .missingRequired }
        if let told, let error = own.first, told.path.starts(with: error.path) { return }
        require(index)
    }

    /// Goes back so far on the way.
    mutating func leave(to depth: Int) {
        while trace.path.count > depth { trace.leave() }
    }

    /// A record, or a fact about its type, is not in the store.
    @inline(never)
    mutating func noteMissing() {
        guard isChecked else {
            isMissingData = true
            return
        }
        guard trace.deferred == 0 else { return }
        isMissingData = true
        if collects { note(.missingData, at: nil, in: &trace.errors) }
    }

    /// What is to be said of the whole read; nil if there is nothing.
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

    /// The plan says that what it reads is null if there is an error in it.
    var isCaughtAsNull: Bool { isChecked && plan.planMarks.catches == .null && !trace.errors.isEmpty }
}
