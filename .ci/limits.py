"""Compares the guide about limits with the sources: each row below stands in the guide, and its figure in the source.

Each default of the public interface that is a time or a size stands in the guide too, in a row that names the argument,
the type and the figure.

usage: limits.py
"""

import pathlib
import re
import sys

GUIDE = pathlib.Path("Sources/Baton/Baton.docc/Limits.md")
HTTP, STORE, DISK = "Sources/BatonHTTP/", "Sources/Baton/Store/", "Sources/BatonSQLite/Disk/"
# What the row has, the file, and the text in it that gives the figure.
LIMITS = [
    ("256 levels", "Sources/Baton/Base/JSON/JSONValue.swift", "maximumDepth = 256"),
    ("| 64 MiB after decompression", HTTP + "HTTPNetwork.swift", "maximumBodySize: Int = 64 << 20"),
    ("| 256 KiB and 256 folded lines", HTTP + "Curl/CurlTransport.swift", "maximumHeadSize: Int = 256 << 10"),
    ("| 256 KiB and 256 folded lines", HTTP + "Transport/HTTPHeadReader.swift", "mostFolds = 256"),
    ("| 250 times the received bytes", HTTP + "Curl/CurlTransport.swift", "maximumInflation: Int = 250"),
    ("`maximumWaitingBytes` of `URLSessionTransport` on Linux | 64 MiB", HTTP + "Transport/URLSessionTransport.swift", "maximumWaitingBytes: Int = 64 << 20"),
    ("| 1,000,000 parts and 256 MiB", STORE + "Writing/StoreOptions+IncrementalLimits.swift", "parts: Int = 1_000_000, bytes: Int = 256 << 20"),
    ("| 1,000 errors and 1 MiB", STORE + "Writing/GraphQLError+Reading.swift", "mostErrors = 1_000"),
    ("| 1,000 errors and 1 MiB", STORE + "Writing/GraphQLError+Reading.swift", "mostBytes = 1 << 20"),
    ("8 KiB for a message", STORE + "Writing/GraphQLError+Reading.swift", "longestMessage = 8 << 10"),
    ("64 KiB for one error", STORE + "Writing/GraphQLError+Reading.swift", "mostBytesOfOne = 64 << 10"),
    ("in an error | 500 bytes", HTTP + "Responses/WholeResponse.swift", "quotedBytes = 500"),
    ("same origin | 5 |", HTTP + "HTTPCall.swift", "maximumRedirects = 5"),
    ("``RequestConfiguration`` | 60 s", HTTP + "HTTPNetwork.swift", "timeout: Duration = .seconds(60)"),
    ("`silenceTimeout` of `HTTPNetwork` | 30 s", HTTP + "HTTPNetwork.swift", "silenceTimeout: Duration = .seconds(30)"),
    ("`connectTimeout` of `CurlOptions` | 30 s", HTTP + "Curl/CurlOptions.swift", "connectTimeout = Duration.seconds(30)"),
    ("then `acknowledgementTimeout` | 30 s, 10 s", HTTP + "Socket/WebSocketOptions.swift", "connectTimeout = Duration.seconds(30)"),
    ("then `acknowledgementTimeout` | 30 s, 10 s", HTTP + "Socket/WebSocketOptions.swift", "acknowledgementTimeout = Duration.seconds(10)"),
    ("then `pongTimeout` | 25 s, 10 s", HTTP + "Socket/WebSocketOptions.swift", "pingInterval: Duration? = .seconds(25)"),
    ("then `pongTimeout` | 25 s, 10 s", HTTP + "Socket/WebSocketOptions.swift", "pongTimeout = Duration.seconds(10)"),
    ("of `CurlTransport` | 5 s, 60 s", HTTP + "Socket/WebSocketOptions.swift", "idleTime = Duration.seconds(5)"),
    ("of `CurlTransport` | 5 s, 60 s", HTTP + "Curl/CurlTransport.swift", "idleTime: Duration = .seconds(60)"),
    ("`timeLimit` of `RetryInterceptor` | 3, 60 s", HTTP + "Interceptors/RetryInterceptor.swift", "maximumRetries: Int = 3"),
    ("`timeLimit` of `RetryInterceptor` | 3, 60 s", HTTP + "Interceptors/RetryInterceptor.swift", "timeLimit: Duration = .seconds(60)"),
    ("`maximumDelay` of `ReconnectPolicy` | 1 s, 30 s", HTTP + "Reconnecting/ReconnectPolicy.swift", "firstDelay: Duration = .seconds(1), maximumDelay: Duration = .seconds(30)"),
    ("of `URLSessionTransport` | 64, 16", HTTP + "Curl/CurlTransport.swift", "connections: Int = 64"),
    ("of `URLSessionTransport` | 64, 16", HTTP + "Transport/URLSessionTransport.swift", "connections: Int = 16"),
    ("| 10 within 10 ms", HTTP + "Batching/BatchingNetwork+HTTP.swift", "window: Duration = .milliseconds(10), maximumCount: Int = 10"),
    ("| 8,000 bytes", HTTP + "HTTPNetwork.swift", "maximumURLLength: Int = 8_000"),
    ("`maximumMessageSize` | 16 MiB", HTTP + "Socket/WebSocketOptions.swift", "maximumMessageSize = 16 << 20"),
    ("`maximumQueuedOperations` | 10,000", HTTP + "Socket/WebSocketOptions.swift", "maximumQueuedOperations = 10_000"),
    ("`maximumWaitingResponses` | 64", HTTP + "Socket/WebSocketOptions.swift", "maximumWaitingResponses = 64"),
    ("`environment.subscribe` | 256", "Sources/Baton/RelayEnvironment+Fetching.swift", "eventLimit = 256"),
    ("`EventStreamNetwork` | 16 MiB", HTTP + "EventStream/EventStreamNetwork.swift", "maximumEventSize: Int = 16 << 20"),
    ("`EventStreamNetwork` | 1,000", HTTP + "EventStream/EventStreamNetwork.swift", "maximumWaitingResponses: Int = 1000"),
    ("`maximumNames` | 500", HTTP + "Interceptors/MetricsInterceptor.swift", "maximumNames: Int = 500"),
    ("| 16 MiB, 8 variants", HTTP + "Caching/CachingInterceptor.swift", "maximumBytes: Int = 16 << 20"),
    ("| 16 MiB, 8 variants", HTTP + "Caching/ResponseCache.swift", "maximumVariants = 8"),
    ("``StoreOptions/resultSize`` | 256 MiB", STORE + "StoreOptions.swift", "/// 256 MiB"),
    ("``StoreOptions/releaseBufferSize`` | 10", STORE + "StoreOptions.swift", "releaseBufferSize: Int = 10"),
    ("``StoreOptions/history`` | 256", STORE + "Publishing/StoreOptions+History.swift", "publishes: Int = 256"),
    ("change meanwhile | 256", STORE + "Publishing/PublishQueue+Updates.swift", "maximumRuns = 256"),
    ("| 253 levels", STORE + "Updating/RecordField.swift", "maximumDepth = JSONCursor.maximumDepth - 3"),
    ("`capacity` | 1,000", "Sources/Baton/SharedEnvironment.swift", "capacity: Int = 1_000"),
    ("isolation:_:)`` | 16", "Sources/Baton/RelayEnvironment+Rendering.swift", "passLimit: Int = 16"),
    ("| 200 levels, at most 500", "Compiler/Sources/BatonSyntax/Parser/ParserLimits.swift", "nesting: Int = 200"),
    ("`--max-tokens` | 10,000,000", "Compiler/Sources/BatonSyntax/Parser/ParserLimits.swift", "tokens: Int = 10_000_000"),
    ("mistakes of one text | 1,000", "Compiler/Sources/BatonSyntax/Parser/ParserLimits.swift", "mistakes: Int = 1_000"),
    ("spreads included | 200 levels", "Compiler/Sources/BatonTransforms/Plan/Flatten.swift", "depthLimit = 200"),
    ("of fragments | 2,000,000", "Compiler/Sources/BatonTransforms/Transforms/ApplyFragmentArguments.swift", "sizeLimit = 2_000_000"),
    ("size of a file | 2 GiB", "Compiler/Sources/BatonCompiler/Documents/InputFile.swift", "sizeLimit = 1 << 31"),
    ("baton schema fetch` | 64 MiB", "Compiler/Sources/BatonFetch/ServerRequest.swift", "body = 64 << 20"),
    ("without masks | 2,000,000", "Compiler/Sources/BatonTransforms/Checks/CheckExtent.swift", "unmaskedLimit = 2_000_000"),
    ("spreads included | 200,000", "Compiler/Sources/BatonTransforms/Plan/Flatten.swift", "sizeLimit = 200_000"),
    ("of a fragment | 20,000", "Compiler/Sources/BatonTransforms/Transforms/ApplyFragmentArguments.swift", "count: 20_000"),
    ("`RetryInterceptor` | 0.3 s, 10 s", HTTP + "Interceptors/RetryInterceptor.swift", "firstDelay: Duration = .milliseconds(300)"),
    ("`RetryInterceptor` | 0.3 s, 10 s", HTTP + "Interceptors/RetryInterceptor.swift", "maximumDelay: Duration = .seconds(10)"),
    ("counts up to 10 minutes", HTTP + "Reconnecting/ReconnectPolicy.swift", "longestWait = Duration.seconds(600)"),
    ("SharedEnvironment/Ages`` | 2 s", "Sources/Baton/SharedEnvironment+Ages.swift", "timeout: Duration = .seconds(2)"),
    ("`fresh` of ``SharedEnvironment/Ages`` | 5 s", "Sources/Baton/SharedEnvironment+Ages.swift", "fresh: Duration = .seconds(5)"),
    ("`usable` of ``SharedEnvironment/Ages`` | 10 min", "Sources/Baton/SharedEnvironment+Ages.swift", "usable: Duration = .seconds(600)"),
    ("`pause` of ``SharedEnvironment/Ages`` | 1 s", "Sources/Baton/SharedEnvironment+Ages.swift", "pause: Duration = .seconds(1)"),
    ("`deadline` of `CachingInterceptor.StorageLimits` | 100 ms", HTTP + "Caching/CachingInterceptor.swift", "deadline: Duration = .milliseconds(100)"),
    ("`pause` of `CachingInterceptor.StorageLimits` | 1 s", HTTP + "Caching/CachingInterceptor.swift", "pause: Duration = .seconds(1)"),
    ("`lease` of `CachingInterceptor.StorageLimits` | 5 s", HTTP + "Caching/CachingInterceptor.swift", "lease: Duration = .seconds(5)"),
    ("`timeout` of `EventStreamNetwork` | 30 s", HTTP + "EventStream/EventStreamNetwork.swift", "timeout: Duration = .seconds(30)"),
    ("`Retry-After` | a year", HTTP + "Responses/ResponseHead.swift", "longestWait = 366 * 24 * 60 * 60"),
    ("in one module | 1,200", "Compiler/Sources/BatonCodegen/Generators/ModuleSize.swift", "mostReferences = 1_200"),
    ("`--timeout` | 30 s, from 1 to 3,600", "Compiler/Sources/BatonFetch/SchemaFetch.swift", "milliseconds = 30_000"),
    ("`--timeout` | 30 s, from 1 to 3,600", "Compiler/Sources/BatonCommand/Commands/FetchCommand.swift", "number(.timeout, in: 1...3_600"),
    ("`--retries`, 2 of them, from 0 to 20", "Compiler/Sources/BatonFetch/SchemaFetch.swift", "retries = 2"),
    ("`--retries`, 2 of them, from 0 to 20", "Compiler/Sources/BatonCommand/Commands/FetchCommand.swift", "number(.retries, in: 0...20"),
    ("its `Retry-After` | 30 s", "Compiler/Sources/BatonFetch/SchemaFetch.swift", "longestPause = 30"),
    ("`settle` | 20 s", "Sources/BatonTesting/Clock/Settle.swift", "timeout: Duration = .seconds(20)"),
    ("of `ResponseMemory` | 16 MiB", HTTP + "Caching/ResponseMemory.swift", "maximumBytes: Int = 16 << 20"),
    ("of `WebSocketOptions` | 60 s", HTTP + "Socket/WebSocketOptions.swift", "silenceTimeout: Duration? = .seconds(60)"),
    ("`EventStreamNetwork` | 10 s", HTTP + "EventStream/EventStreamNetwork.swift", "idleTime: Duration = .seconds(10)"),
    ("a ping | 10 ms", "Sources/Baton/Base/Measures/BoundedTime.swift", "shortestInterval = Duration.milliseconds(10)"),
    ("other than the root | 16", STORE + "Lifetime/WideRecords.swift", "arguments = 16"),
    ("in a snapshot | 16", "Sources/Baton/Inspection/Snapshots/SnapshotFormat.swift", "mostKeys = 16"),
    ("LogPrinter`` | 2,000", "Sources/Baton/Requests/Log/LogPrinter.swift", "longest = 2_000"),
    ("`SQLitePersistence` | none", "Sources/BatonSQLite/SQLitePersistence.swift", "sizeLimit: Int? = nil, ageLimit: Duration? = nil"),
    ("down to four fifths", DISK + "SQLiteEviction.swift", "part = 0.8"),
    ("looked for once an hour", DISK + "SQLiteSizes.swift", "pause: Int64 = 3600"),
    ("others that write | 2 s", DISK + "SQLiteDisk.swift", "wait = Duration.seconds(2)"),
    ("after failures | 100 ms, 30 s", DISK + "SQLiteDisk.swift", "pause = 100"),
    ("after failures | 100 ms, 30 s", DISK + "SQLiteDisk.swift", "longestPause = 30_000"),
    ("within 5 s of the opening | 2", DISK + "SQLiteDisk.swift", "trial = Duration.seconds(5)"),
    ("within 5 s of the opening | 2", DISK + "OpeningNote.swift", "mostDeaths = 2"),
    ("put aside | 100", DISK + "DiskOpener.swift", "number < 100"),
    ("`baton-mock` | 10,000 requests and 20 responses", "Sources/BatonMock/Recording/Recordings.swift", "requests = 10_000"),
    ("`baton-mock` | 10,000 requests and 20 responses", "Sources/BatonMock/Recording/Recordings.swift", "answers = 20"),
    ("nesting of objects: `LocalService.Limits` | 64", "Sources/BatonTesting/LocalService/LocalService.swift", "depth: Int = 64"),
    ("`LocalService.Limits` | 1,000,000", "Sources/BatonTesting/LocalService/LocalService.swift", "fields: Int = 1_000_000"),
    ("| 1 MiB, 8 MiB", "Sources/BatonMock/Program/Options.swift", "largestBody = 1 << 20"),
    ("| 1 MiB, 8 MiB", "Sources/BatonMock/Program/Options.swift", "largestForm = 8 << 20"),
    ("`baton-mock` | 1,200", "Sources/BatonMock/Program/Options.swift", "connections = 1_200"),
]

# Defaults that stand in the guide by another name: the type, and the argument.
NAMED_OTHERWISE = {
    # The property ``StoreOptions/incrementalLimits`` has them.
    ("StoreOptions.IncrementalLimits", "bytes"),
}
HEAD = re.compile(r"(?:final class|class|struct|enum|protocol|actor|extension) ([\w.]+)")
DEFAULT = re.compile(r"(\w+): [\w.]+\?? = (?:\.(seconds|milliseconds)\(([\d_]+)\)|(\d+) << (\d+))")


def figures(unit, count, factor, shift):
    """The texts of a default."""
    if factor:
        return [f"{factor} {dict([('10', 'KiB'), ('20', 'MiB'), ('30', 'GiB')])[shift]}"]
    number = int(count.replace("_", ""))
    if unit == "milliseconds":
        return [f"{number} ms", f"{number / 1000:g} s"]
    return [f"{number} s"] + ([f"{number // 60} min"] if number % 60 == 0 else [])


def is_row(line, words, texts):
    """Whether a line of the guide is a row with these words in code marks, and one of these figures."""
    marked = set(re.findall(r"\w+", " ".join(re.findall(r"`+([^`]+)`+", line))))
    return words <= marked and any(re.search(rf"(?<![\w.,]){re.escape(text)}(?!\w)", line) for text in texts)


def defaults():
    """Each default of the interface that is a time or a size: the type or the function, the argument, and its texts."""
    for interface in sorted(pathlib.Path(".ci/api").glob("*.txt")):
        for block in interface.read_text().split("\n\n"):
            head = HEAD.match(block)
            for line in block.split("\n"):
                function = re.search(r"\bfunc (\w+)", line)
                owner = head[1] if head else function[1] if function else ""
                for argument, *figure in DEFAULT.findall(line):
                    yield owner, argument, figures(*figure)


guide = GUIDE.read_text()
status = 0
rows = [line for line in guide.split("\n") if line.startswith("| ")]
for owner, argument, texts in defaults():
    # A function at the top of a module has one limit, which its row does not name.
    words = {owner.split(".")[-1], argument} if "." in owner or owner[:1].isupper() else {owner}
    if (owner, argument) not in NAMED_OTHERWISE and not any(is_row(row, words, texts) for row in rows):
        print(f"limits: {GUIDE} has no row for {argument} of {owner}, {texts[0]}")
        status = 1
for row, file, figure in LIMITS:
    if row not in guide:
        print(f"limits: {GUIDE} does not say '{row}', as {file} has it")
        status = 1
    if figure not in pathlib.Path(file).read_text():
        print(f"limits: {file} has no '{figure}'; look whether {GUIDE} is still right")
        status = 1
sys.exit(status)
