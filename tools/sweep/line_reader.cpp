#include "tools/sweep/line_reader.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "tools/files/descriptor.hpp"
#include "tools/sweep/store_error.hpp"

namespace vgsim::sweep {
namespace {

constexpr std::size_t kChunk = 1U << 16U;
constexpr std::size_t kLongestLine = 64U << 20U;

}  // namespace

bool LineReader::next(std::string_view& line) {
  while (true) {
    const std::size_t end = text_.find('\n', searched_);
    if (end != std::string::npos) {
      line = std::string_view(text_).substr(begin_, end - begin_);
      begin_ = searched_ = end + 1;
      return true;
    }
    searched_ = text_.size();
    if (!read_more()) return false;
  }
}

bool LineReader::read_more() {
  text_.erase(0, begin_);
  begin_ = 0;
  const std::size_t size = text_.size();
  if (size > kLongestLine) throw StoreError(fmt::format("{} is not the store of a sweep", file_));
  text_.resize(size + kChunk);
  ssize_t count = 0;
  do {
    count = ::pread(descriptor_, text_.data() + size, kChunk, offset_);
  } while (count < 0 && errno == EINTR);
  if (count < 0) files::fail("cannot read", file_);
  text_.resize(size + static_cast<std::size_t>(count));
  searched_ = size;
  offset_ += count;
  return count > 0;
}

}  // namespace vgsim::sweep
