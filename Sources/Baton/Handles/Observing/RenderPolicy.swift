/// What a handle shows while a part of its data is missing and on its way.
///
/// ### Behavior
///
/// - With `.partial`, what the store has is shown at once, and what is missing is nil.
/// - A fragment whose fields are missing is loading until the answer has come.
/// - A handle goes on loading while the types cannot express what is there, or nothing is there.
/// - A failure replaces partial data.
/// - Under the policies that do not look into the store first, `.partial` changes nothing.
public enum RenderPolicy: Sendable, Hashable, CaseIterable {
    /// Nothing is shown until the store has all of the data.
    case full
    /// What the store has is shown, under the policies ``FetchPolicy/storeOrNetwork`` and
    /// ``FetchPolicy/storeAndNetwork``. What is missing is nil, or a fragment that is loading.
    case partial
}
