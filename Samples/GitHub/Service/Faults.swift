/// What goes wrong on purpose, for tests: `latency=80,comments=3,outage=20/5,limit=50`.
public struct Faults: Sendable, Hashable {
    /// How long each answer takes.
    public var latency = Duration.milliseconds(120)
    /// Every comment of this number fails; 0 is none.
    public var comments = 0
    /// In each period of this many seconds, the service cannot be reached for the last ones.
    public var outage: (period: Int, length: Int)? {
        get { outagePeriod > 0 ? (outagePeriod, outageLength) : nil }
        set { (outagePeriod, outageLength) = newValue ?? (0, 0) }
    }
    /// The points of one hour.
    public var limit = 5000
    private var outagePeriod = 0
    private var outageLength = 0

    /// A part of the text that is not understood.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        let part: String
        public var description: String {
            "'\(part)' is no fault; there are latency=MILLISECONDS, comments=N, outage=PERIOD/SECONDS and limit=POINTS"
        }
    }

    public init() {}

    /// Reads the form in the description of this type.
    public init(parsing text: String) throws(Failure) {
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=")
            let numbers = pair.count == 2 ? pair[1].split(separator: "/").compactMap { Int($0) } : []
            switch (pair.first, numbers.count) {
            case ("latency", 1): latency = .milliseconds(max(0, numbers[0]))
            case ("comments", 1): comments = numbers[0]
            case ("limit", 1): limit = numbers[0]
            case ("outage", 2) where numbers[0] > numbers[1]: outage = (numbers[0], numbers[1])
            default: throw Failure(part: String(part))
            }
        }
    }

    func failsComment(_ number: Int) -> Bool { comments > 0 && number % comments == 0 }

    /// Whether the service cannot be reached at this time after its start.
    func isOffline(after time: Duration) -> Bool {
        guard let outage else { return false }
        return Int(time.components.seconds) % outage.period >= outage.period - outage.length
    }
}
