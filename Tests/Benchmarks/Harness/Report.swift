import Foundation

/// Collects figures and prints each of them at once.
struct Report {
    let options: Options
    private(set) var figures: [Figure] = []

    init(options: Options) {
        self.options = options
        if !options.json { print(Figure.header) }
    }

    /// Measures and prints one figure, unless the filter leaves it out.
    mutating func figure(
        _ id: String,
        unit: String,
        target: Double? = nil,
        better: Figure.Better,
        _ note: String,
        measure: () throws -> Measurement
    ) rethrows {
        guard options.wants(id) else { return }
        add(Figure(id: id, value: try measure(), unit: unit, target: target, better: better, note: note))
    }

    /// Measures and prints one figure with an asynchronous measurement, unless the filter leaves it out.
    mutating func figure(
        _ id: String,
        unit: String,
        target: Double? = nil,
        better: Figure.Better,
        _ note: String,
        measure: () async throws -> Measurement
    ) async rethrows {
        guard options.wants(id) else { return }
        add(Figure(id: id, value: try await measure(), unit: unit, target: target, better: better, note: note))
    }

    private mutating func add(_ figure: Figure) {
        figures.append(figure)
        print(options.json ? figure.json : figure.row)
    }

    /// Prints on standard error why a requested figure is missing.
    func skip(_ id: String, because reason: String) {
        guard options.wants(id) else { return }
        FileHandle.standardError.write(Data("\(id): skipped, \(reason)\n".utf8))
    }

    /// Prints a note if nothing was measured.
    func finish() {
        if figures.isEmpty { print("no figure has an id that contains '\(options.filter ?? "")'") }
    }
}
