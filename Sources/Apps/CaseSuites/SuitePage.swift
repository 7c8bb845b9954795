extension Suite {
  /// The cases as tables of the page, a table for each group.
  private var tables: String {
    groups.map { group in
      let rows = cases.filter { $0.group == group }.map { found in
        let check = found.check.map { "`\($0)`" } ?? ""
        return
          "| `\(found.id)` | \(found.expects.rawValue) | \(found.weight.rawValue) | \(found.title) | \(found.clause) "
          + "| \(check) |"
      }
      let head = [
        "### \(group.rawValue)", "",
        "| case | a \(subject) must | weight | what happens | clause | presentment's check |",
        "| --- | --- | --- | --- | --- | --- |",
      ]
      return (head + rows).joined(separator: "\n") + "\n"
    }.joined(separator: "\n")
  }

  /// The page with its generated part replaced.
  package func updated(_ page: String) -> String {
    let (begin, end) = ("<!-- suite: cases -->\n", "<!-- end -->")
    guard let first = page.firstRange(of: begin), let last = page[first.upperBound...].firstRange(of: end) else {
      return page
    }
    return page[..<first.upperBound] + "\n\(tables)\n" + page[last.lowerBound...]
  }
}
