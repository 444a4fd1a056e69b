import Foundation

let options = Options(arguments: CommandLine.arguments.dropFirst())
var report = Report(options: options)
report.finish()
