/// Positions in memory that never moves, for readers that hold the form.
///
/// Sendable because the memory is filled once and never changes.
final class UnsafePositions: @unchecked Sendable {
    let pointer: UnsafePointer<Int32>

    init(_ positions: [Int32]) {
        let memory = UnsafeMutablePointer<Int32>.allocate(capacity: max(positions.count, 1))
        memory.initialize(repeating: Form.excluded, count: max(positions.count, 1))
        for (index, position) in positions.enumerated() { memory[index] = position }
        pointer = UnsafePointer(memory)
    }

    deinit { pointer.deallocate() }
}
