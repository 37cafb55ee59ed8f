#pragma once

#include <zlib.h>

#include <array>
#include <cstddef>
#include <memory>
#include <streambuf>
#include <string>

namespace vgsim::traces {

/// Reads a file and decompresses it if it is compressed with gzip.
///
/// Throws TraceError if the compressed data are broken, TraceTooLarge beyond `limit` bytes of
/// content, or beyond 100 times the compressed size.
class GzipStream : public std::streambuf {
 public:
  /// Throws std::system_error if the file cannot be read.
  GzipStream(const std::string& path, std::size_t limit);

 protected:
  int_type underflow() override;

 private:
  struct Close {
    void operator()(gzFile file) const { gzclose(file); }
  };

  std::unique_ptr<gzFile_s, Close> file_;
  std::array<char, std::size_t{1} << 16> buffer_{};
  std::size_t left_;
  std::size_t unpacked_ = 0;
};

}  // namespace vgsim::traces
