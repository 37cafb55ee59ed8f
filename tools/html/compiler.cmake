# Options of Emscripten for all of the program. Its libc++ lacks parts of C++20 (libcxx_missing.hpp).

add_compile_options(-fwasm-exceptions
  "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${CMAKE_CURRENT_LIST_DIR}/libcxx_missing.hpp>")
add_link_options(-fwasm-exceptions)
