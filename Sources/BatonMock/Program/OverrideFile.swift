import BatonTesting

/// A file with overrides.
struct OverrideFile: SavedFile {
    let title = "overrides"
    private let world: World
    private let seed: UInt64
    private var look: FileLook

    init(_ path: String, _ world: World, seed: UInt64) {
        self.world = world
        self.seed = seed
        look = FileLook(path)
    }

    /// Reads the file if it has changed.
    ///
    /// What the file changes takes the place of all changes of the world, so that what it no longer says has no effect.
    mutating func readAgain() throws -> Bool {
        guard look.hasChanged() else { return false }
        // Mistakes are found in a world that nobody uses.
        try world.another(seed: seed).override(contentsOf: look.path)
        world.reset()
        try world.override(contentsOf: look.path)
        return true
    }
}
