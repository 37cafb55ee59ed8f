// A library without functions. Under the name of another one it stands before it in the search, so
// that the probe finds none that it can use.
