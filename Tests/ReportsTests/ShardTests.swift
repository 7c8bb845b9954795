import Foundation
import Testing

@testable import Reports

@Suite("Shards")
struct ShardTests {
  private static let cases = (0..<23).map { CaseIdentity(path: "a.yaml", name: "case \($0)") }
  /// Some cases are long, some equal, some without a time, some unknown.
  private static let durations = Dictionary(
    uniqueKeysWithValues: cases.enumerated().filter { $0.offset % 5 != 3 }.map {
      ($0.element, ReportedTime(nanoseconds: Int64($0.offset * $0.offset % 7) * 1_000_000))
    })

  @Test("the shards of a run are a partition of its cases", arguments: [1, 2, 3, 5, 22, 23, 24, 50], [false, true])
  func partition(count: Int, isBalanced: Bool) throws {
    let durations = isBalanced ? Self.durations : [:]
    let parts = try (1...count).map { try Shard(index: $0, count: count).places(of: Self.cases, durations: durations) }
    #expect(parts.flatMap(\.self).sorted() == Array(Self.cases.indices))
    #expect(parts.allSatisfy { $0 == $0.sorted() })
  }

  @Test("a case that runs several times is dealt out as often")
  func repeated() throws {
    let cases = Array(repeating: Self.cases[1], count: 6)
    let parts = try (1...3).map { try Shard(index: $0, count: 3).places(of: cases, durations: Self.durations) }
    #expect(parts.flatMap(\.self).sorted() == Array(0..<6))
    #expect(parts.allSatisfy { $0.count == 2 })
  }

  @Test("without durations the cases are dealt out in turn")
  func inTurn() throws {
    #expect(try Shard(index: 2, count: 3).places(of: Array(Self.cases.prefix(8))) == [1, 4, 7])
    #expect(try Shard(index: 3, count: 3).places(of: Array(Self.cases.prefix(2))) == [])
  }

  @Test("with durations the longest case goes first, to the shard with the least to do")
  func balanced() throws {
    let cases = Array(Self.cases.prefix(5))
    let durations = Dictionary(
      uniqueKeysWithValues: zip(cases, [7, 5, 4, 3, 1].map { ReportedTime(.seconds($0)) }))
    #expect(try Shard(index: 1, count: 2).places(of: cases, durations: durations) == [0, 3])
    #expect(try Shard(index: 2, count: 2).places(of: cases, durations: durations) == [1, 2, 4])
  }

  @Test("a case without a duration counts as the mean of the others")
  func unknown() throws {
    let cases = Array(Self.cases.prefix(3))
    let durations = [cases[0]: ReportedTime(.seconds(6)), cases[1]: ReportedTime(.seconds(2))]
    // 6, 2 and 4: the last one goes before the second.
    #expect(try Shard(index: 2, count: 2).places(of: cases, durations: durations) == [1, 2])
  }

  @Test("durations come from cases that ran, and of several runs the longest")
  func durations() {
    let report = Samples.report([
      Samples.entry(1, name: "x", seconds: 1), Samples.entry(2, name: "x", seconds: 3), Samples.entry(3, .skipped),
    ])
    #expect(report.durations == [CaseIdentity(path: "a/one.yaml", name: "x"): ReportedTime(.seconds(3))])
  }

  @Test("shards are written as they are read")
  func texts() throws {
    #expect(try Shard("2/5").description == "2/5")
    #expect(try Shard("1/100000").count == 100_000)
  }

  @Test(
    "other texts are refused",
    arguments: [
      "", "2", "2/", "/5", "0/5", "6/5", "2/5/1", "-1/5", "+1/5", "1/0", "1/100001", "a/b", "２/5", "1 /5", "Auto",
    ])
  func refused(text: String) {
    let error = #expect(throws: ReportError.self) { try Shard.parse(text, environment: [:]) }
    #expect(error?.code == .shard)
  }
}

@Suite("Shards in environment variables")
struct ShardEnvironmentTests {
  private func shard(_ environment: [String: String]) throws -> String {
    try Shard.parse("auto", environment: environment).description
  }

  @Test(
    "each system's variables name a shard",
    arguments: [
      (["JOB_COMPLETION_INDEX": "0", "PRESENTMENT_SHARD_COUNT": "8"], "1/8"),
      (["AWS_BATCH_JOB_ARRAY_INDEX": "9", "AWS_BATCH_JOB_ARRAY_SIZE": "10"], "10/10"),
      (["AWS_BATCH_JOB_ARRAY_INDEX": "9", "PRESENTMENT_SHARD_COUNT": "10"], "10/10"),
      (["TEST_SHARD_INDEX": "1", "TEST_TOTAL_SHARDS": "3"], "2/3"),
      (["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "4"], "1/4"),
      (["BUILDKITE_PARALLEL_JOB": "0", "BUILDKITE_PARALLEL_JOB_COUNT": "2"], "1/2"),
      (["CI_NODE_TOTAL": "1"], "1/1"),
      (["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "4", "PRESENTMENT_SHARD_COUNT": "4", "TEST_SHARD_INDEX": ""], "2/4"),
      (
        ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "4", "JOB_COMPLETION_INDEX": "1", "PRESENTMENT_SHARD_COUNT": "4"], "2/4"
      ),
    ])
  func found(environment: [String: String], shard: String) throws { #expect(try self.shard(environment) == shard) }

  private func array(_ task: Int, _ first: Int, _ last: Int, count: Int, step: Int? = nil) -> [String: String] {
    var environment = [
      "SLURM_ARRAY_TASK_ID": "\(task)", "SLURM_ARRAY_TASK_MIN": "\(first)", "SLURM_ARRAY_TASK_MAX": "\(last)",
      "SLURM_ARRAY_TASK_COUNT": "\(count)",
    ]
    environment["SLURM_ARRAY_TASK_STEP"] = step.map(String.init)
    return environment
  }

  @Test("a job array of Slurm may begin anywhere and have steps")
  func slurm() throws {
    #expect(try shard(array(0, 0, 7, count: 8)) == "1/8")
    #expect(try shard(array(7, 0, 7, count: 8, step: 1)) == "8/8")
    #expect(try shard(array(1, 1, 8, count: 8)) == "1/8")
    #expect(try shard(array(14, 10, 16, count: 4, step: 2)) == "3/4")
  }

  @Test(
    "an incomplete, contradictory or missing shard is an error that names the variables",
    arguments: [
      ([:], "no shard in the environment; '--shard auto' needs one of JOB_COMPLETION_INDEX, SLURM_ARRAY_TASK_ID"),
      (["CI_NODE_TOTAL": "4"], "no shard in the environment"),
      (
        ["JOB_COMPLETION_INDEX": "3"],
        "JOB_COMPLETION_INDEX is 3, but PRESENTMENT_SHARD_COUNT is not set: the number of shards is unknown"
      ),
      (["TEST_SHARD_INDEX": "3"], "TEST_SHARD_INDEX is 3, but TEST_TOTAL_SHARDS is not set"),
      (
        ["TEST_SHARD_INDEX": "3", "TEST_TOTAL_SHARDS": "3"],
        "TEST_SHARD_INDEX is 3, but the 3 shards are numbered from 0"
      ),
      (["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "3"], "CI_NODE_INDEX is 0, but the 3 shards are numbered from 1"),
      (["CI_NODE_INDEX": "x", "CI_NODE_TOTAL": "3"], "CI_NODE_INDEX is 'x', not a number"),
      (
        ["TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "0"],
        "TEST_SHARD_INDEX is 0, but the 0 shards are numbered from 0"
      ),
      (
        ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "3", "PRESENTMENT_SHARD_COUNT": "4"],
        "CI_NODE_TOTAL is 3, and PRESENTMENT_SHARD_COUNT is 4"
      ),
      (
        ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "3", "TEST_SHARD_INDEX": "1", "TEST_TOTAL_SHARDS": "3"],
        "two shards in the environment: 2/3 by TEST_SHARD_INDEX and 1/3 by CI_NODE_INDEX. Name the shard, for example --shard 2/3"
      ),
      (["SLURM_ARRAY_TASK_ID": "1"], "SLURM_ARRAY_TASK_ID is 1, but SLURM_ARRAY_TASK_COUNT is not set"),
      (
        ["SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "3"],
        "SLURM_ARRAY_TASK_MIN or SLURM_ARRAY_TASK_MAX is not set"
      ),
    ] as [([String: String], String)])
  func refused(environment: [String: String], message: String) {
    let error = #expect(throws: ReportError.self) { try shard(environment) }
    #expect(error?.code == .shard)
    #expect(error?.message.hasPrefix(message) == true, "\(error as Any)")
  }

  @Test("a job array with gaps does not tell which part a task is")
  func gaps() {
    for environment in [array(3, 1, 7, count: 3), array(3, 1, 7, count: 4, step: 3), array(4, 1, 7, count: 4, step: 0)]
    {
      let error = #expect(throws: ReportError.self) { try shard(environment) }
      #expect(error?.message.contains("it has gaps") == true, "\(error as Any)")
    }
    #expect(throws: ReportError.self) { try shard(array(4, 1, 7, count: 4, step: 2)) }
  }

  @Test("the first part of every system has the number of the declaration", arguments: ShardEnvironment.allCases)
  func declared(system: ShardEnvironment) throws {
    guard let first = system.firstIndex else { return }
    #expect(try shard([system.indexVariable: "\(first)", system.countVariable: "2"]) == "1/2")
    #expect(system.reference.hasPrefix("https://"))
  }

  @Test("Bazel learns that the test takes part in sharding")
  func bazel() throws {
    let folder = try Folder()
    try ShardEnvironment.acknowledge(["TEST_SHARD_STATUS_FILE": folder.path("new/status")])
    #expect(FileManager.default.fileExists(atPath: folder.path("new/status")))
    try ShardEnvironment.acknowledge([:])
    #expect(throws: ReportError.self) {
      try ShardEnvironment.acknowledge(["TEST_SHARD_STATUS_FILE": folder.path("new/status/x")])
    }
  }
}
