import Baton

/// Says that a mutation has failed, for as long as its handle shows that; has no lines otherwise.
///
///     MutationFailure(rename, "The room keeps its name", key: "r") { [self] in again() }
///
/// A commit that was cancelled is no failure. An answer with data and errors is one, since the server has not done all
/// that it was asked for.
public struct MutationFailure: Element {
    private let content: any Element

    /// Makes the element. A component that has it in its content is drawn again when a commit begins or ends.
    ///
    /// - Parameters:
    ///   - handle: the handle that commits.
    ///   - consequence: what the failure means for the person, as the beginning of a sentence.
    ///   - key: the key that sends the mutation again, with `again`; it is taken only while the failure is shown.
    ///   - style: the style of the text.
    ///   - again: commits again.
    @MainActor
    public init<Operation: GraphQLMutation>(
        _ handle: MutationHandle<Operation>, _ consequence: String, key: Character? = nil,
        style: Style = .color(.red), again: (@MainActor () -> Void)? = nil
    ) {
        guard !handle.isFetching, let reason = Self.reason(handle) else {
            content = Spacer.rows(0)
            return
        }
        let text = Text("\(consequence): \(reason)", style)
        guard let key, let again else {
            content = text.wrapped
            return
        }
        content = (text + Text(" \(key) tries again", .dim)).wrapped.onKey { pressed in
            guard pressed == .character(key) else { return false }
            again()
            return true
        }
    }

    /// Why the commit that the handle shows has failed; nil if it has not.
    @MainActor
    private static func reason<Operation: GraphQLMutation>(_ handle: MutationHandle<Operation>) -> String? {
        switch handle.result {
        case .failure(let error) where error.kind == .cancelled: nil
        case .failure(let error) where error.code == .transport: error.underlying.map { "\($0)" }
        case .failure(let error): "\(error)"
        case .success: handle.response?.errors.first?.message
        case .loading: nil
        }
    }

    public func size(within limits: Size, of frame: Frame) -> Size { content.size(within: limits, of: frame) }
    public func draw(in rect: Rect, of frame: Frame) { content.draw(in: rect, of: frame) }
    public func flexibility(of frame: Frame) -> Flexibility { content.flexibility(of: frame) }
}
