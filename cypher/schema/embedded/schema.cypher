// Tables of the embedded engine: one for all nodes, and one for each kind of edge.
// Its only index is that on the primary key, so templates enter by key wherever they can.
CREATE NODE TABLE IF NOT EXISTS Node(
  key STRING PRIMARY KEY,
  snapshot STRING,
  id STRING,
  kind STRING,
  name STRING,
  qualname STRING,
  path STRING,
  start_line INT64,
  end_line INT64,
  language STRING,
  is_test BOOL,
  signature STRING,
  doc STRING,
  unresolved INT64,
  unresolved_names STRING
);
CREATE REL TABLE IF NOT EXISTS CONTAINS(FROM Node TO Node, kind STRING, lines INT64[], tier STRING, confidence DOUBLE, how STRING);
CREATE REL TABLE IF NOT EXISTS IMPORTS(FROM Node TO Node, kind STRING, lines INT64[], tier STRING, confidence DOUBLE, how STRING);
CREATE REL TABLE IF NOT EXISTS INVOKES(FROM Node TO Node, kind STRING, lines INT64[], tier STRING, confidence DOUBLE, how STRING);
CREATE REL TABLE IF NOT EXISTS INHERITS(FROM Node TO Node, kind STRING, lines INT64[], tier STRING, confidence DOUBLE, how STRING);
CREATE REL TABLE IF NOT EXISTS OVERRIDES(FROM Node TO Node, kind STRING, lines INT64[], tier STRING, confidence DOUBLE, how STRING);
CREATE REL TABLE IF NOT EXISTS REFERENCES(FROM Node TO Node, kind STRING, lines INT64[], tier STRING, confidence DOUBLE, how STRING);
CREATE REL TABLE IF NOT EXISTS TESTS(FROM Node TO Node, kind STRING, lines INT64[], tier STRING, confidence DOUBLE, how STRING);
