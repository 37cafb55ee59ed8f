// A library without functions. Under the name of another one it is found first, so that the
// probe finds no usable one.
