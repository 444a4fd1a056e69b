/// The data that a handle shows while a part of it is missing and on its way.
///
/// ### Behavior
///
/// - With `.partial`, the data in the store is shown at once, and missing fields are nil.
/// - A fragment whose fields are missing is loading until the response has arrived.
/// - A handle stays loading while the store has no data, or data that the types cannot express.
/// - A failure replaces partial data.
/// - Under the policies that do not look into the store first, `.partial` changes nothing.
public enum RenderPolicy: Sendable, Hashable, CaseIterable {
    /// A handle shows nothing until the store has all of its data.
    case full
    /// A handle shows the data that the store has, under the policies ``FetchPolicy/storeOrNetwork`` and
    /// ``FetchPolicy/storeAndNetwork``. A missing field is nil, and a fragment with missing fields is loading.
    case partial
}
