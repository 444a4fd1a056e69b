extension GeneratedCode {
    /// A generated struct through which updates write. It has properties with setters, so that an update needs no field
    /// names as text.
    ///
    ///     public struct HeroName_hero: GeneratedCode.WritableSelections {
    ///         private let place: GeneratedCode.WritablePlace
    ///         public init(_ place: GeneratedCode.WritablePlace) { self.place = place }
    ///
    ///         public var name: String? {
    ///             get { place.string(0) }
    ///             nonmutating set { place.set(0, newValue) }
    ///         }
    ///     }
    public protocol WritableSelections {
        /// Wraps a record.
        init(_ place: WritablePlace)
    }
}
