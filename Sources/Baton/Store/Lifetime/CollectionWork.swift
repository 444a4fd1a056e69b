/// The greatest work of a slice. Each part takes less than half a millisecond.
package struct CollectionWork: Sendable {
    /// The number of records and list items that are visited while marking.
    let marking: Int
    /// The number of record numbers that are examined while sweeping.
    let looking: Int
    /// The number of fields that are examined in records that lose fields.
    let narrowing: Int
    /// The number of records that are removed.
    let sweeping: Int
    /// The number of records whose values are searched for numbers.
    let naming: Int
    /// The number of numbers that are freed.
    let freeing: Int
    /// The number of pages whose records may be moved, and the number of pages whose rows may be cleared.
    let packing: Int
    /// The number of pages that are examined for freeing.
    let vacating: Int

    package init(
        marking: Int = 4096, looking: Int = 8192, narrowing: Int = 4096, sweeping: Int = 512, naming: Int = 1024,
        freeing: Int = 1024, packing: Int = 1, vacating: Int = 64
    ) {
        self.marking = marking
        self.looking = looking
        self.narrowing = narrowing
        self.sweeping = sweeping
        self.naming = naming
        self.freeing = freeing
        self.packing = packing
        self.vacating = vacating
    }
}
