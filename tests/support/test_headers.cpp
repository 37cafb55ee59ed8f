// Nothing: the target that this file is of compiles headers for all tests.
