import BatonDiagnostics
import BatonIR
import BatonSchema

/// What the checks of a program have found so far, by the kind of the check.
struct Findings: Sendable {
    private(set) var mistakes: [Diagnostic] = []
    private var refusals: [Diagnostic] = []
    private var limits: [Diagnostic] = []
    /// The names of the checks that have found an error.
    private var failed: Set<String> = []

    var all: [Diagnostic] { refusals + mistakes + limits }

    var count: Int { mistakes.count + refusals.count + limits.count }

    /// Whether a later form of the documents has no meaning. What is only refused has one.
    var forbidPlans: Bool { mistakes.hasErrors || limits.hasErrors }

    /// Whether none of the checks has found an error.
    func passed(_ checks: DocumentCheck...) -> Bool {
        failed.isEmpty || !checks.contains { failed.contains($0.name) }
    }

    mutating func check(written program: CheckedProgram) {
        run { if case .written(let look) = $0 { look(program) } else { [] } }
    }

    mutating func check(unmasked program: CheckedProgram) {
        run { if case .unmasked(let look) = $0 { look(program) } else { [] } }
    }

    mutating func check(refetched program: Program) {
        run { if case .refetched(let look) = $0 { look(program) } else { [] } }
    }

    mutating func check(copied result: ApplyFragmentArguments.Result) {
        run { if case .copied(let look) = $0 { look(result) } else { [] } }
    }

    mutating func check(asked program: Program) {
        run { if case .asked(let look) = $0 { look(program) } else { [] } }
    }

    /// Checks the plan of a definition. A mistake in a fragment may show in the plans of several definitions, and is
    /// reported once.
    mutating func check(plan: Flatten, of definition: Span) {
        let known = all
        run { form in
            guard case .plan(let look) = form else { return [] }
            return look(plan, definition).filter { !known.contains($0) }
        }
    }

    mutating func check(text: OperationText) {
        run { if case .text(let look) = $0 { look(text) } else { [] } }
    }

    private mutating func run(_ look: (DocumentCheck.Look) -> [Diagnostic]) {
        for check in DocumentCheck.all {
            for form in check.looks {
                let found = look(form)
                if !found.isEmpty { add(found, of: check) }
            }
        }
    }

    private mutating func add(_ found: [Diagnostic], of check: DocumentCheck) {
        if found.hasErrors { failed.insert(check.name) }
        switch check.kind {
        case .mistake: mistakes += found
        case .refusal: refusals += found
        case .limit: limits += found
        }
    }
}
