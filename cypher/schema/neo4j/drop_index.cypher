// Drop an index that does not work, so that it can be made again.
DROP INDEX $name IF EXISTS;
