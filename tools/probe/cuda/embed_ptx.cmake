# cmake -DINPUT=kernels.ptx -DOUTPUT=kernels.ptx.cpp -DNAME=kKernelsPtx -P embed_ptx.cmake
# Writes the text as an array of bytes with a zero at its end, a definition of embedded_ptx.hpp.
#
# A driver refuses PTX of a version that is younger than itself. The kernels need nothing beyond
# version 7.8, that of CUDA 11.8, so INPUT itself is marked with that.

file(READ ${INPUT} text)
string(REGEX REPLACE "\n\\.version [0-9.]+\n" "\n.version 7.8\n" text "${text}")
file(WRITE ${INPUT} "${text}")

file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT}
"#include \"tools/probe/cuda/embedded_ptx.hpp\"

namespace vgsim::probe::cuda {

const unsigned char ${NAME}[] = {
${bytes}0};

}  // namespace vgsim::probe::cuda
")
