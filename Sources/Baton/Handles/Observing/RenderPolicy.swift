/// The data that a handle shows while a part of it is missing and on its way.
///
/// ### Behavior
///
/// - With `.partial`, what the store has is shown at once, and what is missing is nil.
/// - A fragment whose fields are missing is loading until the answer has come.
/// - A handle goes on loading while the types cannot express what is there, or nothing is there.
/// - A failure replaces partial data.
/// - Under the policies that do not look into the store first, `.partial` changes nothing.
public enum RenderPolicy: Sendable, Hashable, CaseIterable {
    /// A handle shows nothing until the store has all of its data.
    case full
    /// A handle shows the data that the store has, under the policies ``FetchPolicy/storeOrNetwork`` and
    /// ``FetchPolicy/storeAndNetwork``. A missing field is nil, and a fragment with missing fields is loading.
    case partial
}
