import Foundation

/// Systems that run a command on several machines and tell each machine its part in environment variables.
public enum ShardEnvironment: String, Sendable, CaseIterable {
  case kubernetes = "Kubernetes, indexed job"
  case slurm = "Slurm, job array"
  case awsBatch = "AWS Batch, array job"
  case bazel = "Bazel, test sharding"
  case gitLab = "GitLab, parallel job"
  case buildkite = "Buildkite, parallel job"

  /// The variable with the number of parts, for systems that have none of their own.
  public static let countVariable = "PRESENTMENT_SHARD_COUNT"

  /// The variable with the number of the part.
  public var indexVariable: String { facts.index }
  /// The variable with the number of parts.
  public var countVariable: String { facts.count }
  /// The number of the first part; nil if the environment has it.
  public var firstIndex: Int? { facts.first }
  /// The description of the variables.
  public var reference: String { facts.reference }

  private var facts: (index: String, count: String, first: Int?, reference: String) {
    switch self {
    case .kubernetes:
      (
        "JOB_COMPLETION_INDEX", Self.countVariable, 0,
        "https://kubernetes.io/docs/tasks/job/indexed-parallel-processing-static/"
      )
    case .slurm: ("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", nil, "https://slurm.schedmd.com/job_array.html")
    case .awsBatch:
      (
        "AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE", 0,
        "https://docs.aws.amazon.com/batch/latest/userguide/job_env_vars.html"
      )
    case .bazel: ("TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", 0, "https://bazel.build/reference/test-encyclopedia")
    case .gitLab: ("CI_NODE_INDEX", "CI_NODE_TOTAL", 1, "https://docs.gitlab.com/ci/variables/predefined_variables/")
    case .buildkite:
      (
        "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0,
        "https://buildkite.com/docs/pipelines/configure/environment-variables"
      )
    }
  }

  /// The part that an environment names.
  /// - Throws: ``ReportError`` if no system names a part, if one names it incompletely, or if two name different ones.
  static func shard(in environment: [String: String]) throws(ReportError) -> Shard {
    let variables = Variables(values: environment)
    var found: [(system: Self, shard: Shard)] = []
    for system in allCases {
      if let shard = try system.shard(in: variables) { found.append((system, shard)) }
    }
    guard let first = found.first else {
      // A job of GitLab that is not parallel is the only part, whatever machine it runs on.
      if variables[gitLab.countVariable] == "1" { return try Shard(index: 1, count: 1) }
      throw ReportError(
        .shard,
        "no shard in the environment; '--shard auto' needs one of "
          + allCases.map(\.indexVariable).joined(separator: ", ")
          + ". Elsewhere name the shard, for example --shard 2/5")
    }
    if let other = found.first(where: { $0.shard != first.shard }) {
      throw ReportError(
        .shard,
        "two shards in the environment: \(first.shard) by \(first.system.indexVariable) and \(other.shard) by "
          + "\(other.system.indexVariable). Name the shard, for example --shard \(first.shard)")
    }
    return first.shard
  }

  /// The part that the system's variables name, or nil if they are not set.
  private func shard(in variables: Variables) throws(ReportError) -> Shard? {
    guard let number = try variables.number(indexVariable) else { return nil }
    let own = try variables.number(countVariable)
    let order = self == .slurm ? nil : try variables.number(Self.countVariable)
    if let own, let order, own != order {
      throw ReportError(
        .shard, "\(countVariable) is \(own), and \(Self.countVariable) is \(order); leave out \(Self.countVariable)")
    }
    guard let count = own ?? order else {
      throw ReportError(
        .shard, "\(indexVariable) is \(number), but \(countVariable) is not set: the number of shards is unknown")
    }
    let first = if let firstIndex { firstIndex } else { try firstTask(of: count, variables) }
    let step = self == .slurm ? try variables.number("SLURM_ARRAY_TASK_STEP") ?? 1 : 1
    let index = number - first
    guard index >= 0, step > 0, index % step == 0, index / step < count else {
      throw ReportError(
        .shard, "\(indexVariable) is \(number), but the \(count) shards are numbered from \(first)")
    }
    return try Shard(index: index / step + 1, count: count)
  }

  /// The first number of a job array of Slurm.
  /// - Throws: ``ReportError`` if the array has gaps: its numbers do not tell which part a task is.
  private func firstTask(of count: Int, _ variables: Variables) throws(ReportError) -> Int {
    guard let first = try variables.number("SLURM_ARRAY_TASK_MIN"),
      let last = try variables.number("SLURM_ARRAY_TASK_MAX")
    else { throw ReportError(.shard, "SLURM_ARRAY_TASK_MIN or SLURM_ARRAY_TASK_MAX is not set") }
    let step = try variables.number("SLURM_ARRAY_TASK_STEP") ?? 1
    guard step > 0, last >= first, (last - first) % step == 0, (last - first) / step + 1 == count else {
      throw ReportError(
        .shard,
        "the job array from \(first) to \(last) has \(count) tasks in steps of \(step): it has gaps. Use a range, for "
          + "example --array=0-\(max(1, count) - 1), and repeat a task with 'scontrol requeue'")
    }
    return first
  }

  /// Tells Bazel that the test takes part in sharding, without which Bazel refuses the result.
  /// - Throws: ``ReportError`` if the file that Bazel names cannot be written.
  public static func acknowledge(_ environment: [String: String]) throws(ReportError) {
    guard let path = environment["TEST_SHARD_STATUS_FILE"], !path.isEmpty else { return }
    close(try ReportFile.create(path, O_WRONLY | O_CREAT))
  }
}

/// Environment variables. An empty one counts as not set.
private struct Variables {
  let values: [String: String]

  subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

  func number(_ name: String) throws(ReportError) -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Shard.number(text) else { throw ReportError(.shard, "\(name) is '\(text)', not a number") }
    return number
  }
}
