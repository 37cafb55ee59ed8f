#include "models/traces/gzip_stream.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "models/traces/trace_readers.hpp"

namespace vgsim::traces {
namespace {

/// Traces compress by a factor of about ten, decompression bombs by about a thousand.
constexpr std::size_t kMostTimes = 100;
constexpr std::size_t kAlwaysUnpacked = std::size_t{1} << 20;

}  // namespace

GzipStream::GzipStream(const std::string& path, std::size_t limit) : left_(limit) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw std::system_error(EISDIR, std::generic_category());
  }
  errno = 0;
  file_.reset(gzopen(path.c_str(), "rb"));
  if (!file_) throw std::system_error(errno == 0 ? ENOMEM : errno, std::generic_category());
}

GzipStream::int_type GzipStream::underflow() {
  const int count = gzread(file_.get(), buffer_.data(), static_cast<unsigned>(buffer_.size()));
  int code = Z_OK;
  const char* reason = gzerror(file_.get(), &code);
  if (count < 0 || code == Z_BUF_ERROR) {
    throw TraceError(std::string("the compressed data are broken: ") + reason);
  }
  if (count == 0) return traits_type::eof();
  const auto size = static_cast<std::size_t>(count);
  if (size > left_) throw TraceTooLarge("the trace is larger than 16 GiB");
  left_ -= size;
  unpacked_ += size;
  const auto packed = static_cast<std::size_t>(std::max<z_off_t>(gzoffset(file_.get()), 1));
  if (unpacked_ > kAlwaysUnpacked && unpacked_ / kMostTimes > packed) {
    throw TraceTooLarge("the trace unpacks to more than 100 times its size");
  }
  setg(buffer_.data(), buffer_.data(), buffer_.data() + size);
  return traits_type::to_int_type(buffer_[0]);
}

}  // namespace vgsim::traces
