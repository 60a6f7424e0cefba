// Load a snapshot from CSV files of one folder.
// The engine takes no parameter for the name of a file, so `$folder` is filled in by the store, with the path of a
// temporary folder that it made itself, escaped. Not PARALLEL, since quoted values hold line breaks; AUTO_DETECT reads
// everything twice to guess the types that the tables have said.
COPY Node FROM '$folder/Node.csv' (HEADER=false, PARALLEL=false, AUTO_DETECT=false, ESCAPE='"');
COPY CONTAINS FROM '$folder/CONTAINS.csv' (HEADER=false, PARALLEL=false, AUTO_DETECT=false, ESCAPE='"');
COPY IMPORTS FROM '$folder/IMPORTS.csv' (HEADER=false, PARALLEL=false, AUTO_DETECT=false, ESCAPE='"');
COPY INVOKES FROM '$folder/INVOKES.csv' (HEADER=false, PARALLEL=false, AUTO_DETECT=false, ESCAPE='"');
COPY INHERITS FROM '$folder/INHERITS.csv' (HEADER=false, PARALLEL=false, AUTO_DETECT=false, ESCAPE='"');
COPY OVERRIDES FROM '$folder/OVERRIDES.csv' (HEADER=false, PARALLEL=false, AUTO_DETECT=false, ESCAPE='"');
COPY REFERENCES FROM '$folder/REFERENCES.csv' (HEADER=false, PARALLEL=false, AUTO_DETECT=false, ESCAPE='"');
COPY TESTS FROM '$folder/TESTS.csv' (HEADER=false, PARALLEL=false, AUTO_DETECT=false, ESCAPE='"');
