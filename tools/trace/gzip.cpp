#include "tools/trace/gzip.hpp"

#include <zlib.h>

#include <limits>
#include <new>
#include <stdexcept>

namespace vgsim::trace {

std::string gzipped(const std::string& bytes) {
  constexpr int kGzipFormat = 16;  // Added to the window size: gzip format (zlib.h).
  if (bytes.size() > std::numeric_limits<uInt>::max()) {
    throw std::length_error("more than 4 GiB to compress");
  }
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipFormat, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  std::string result(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  const int ended = deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  if (ended != Z_STREAM_END) throw std::logic_error("zlib's bound was too small");
  return result;
}

}  // namespace vgsim::trace
