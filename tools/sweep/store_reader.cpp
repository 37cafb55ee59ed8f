#include "tools/sweep/store_reader.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include "tools/files/descriptor.hpp"
#include "tools/files/digest.hpp"
#include "tools/sweep/line_reader.hpp"
#include "tools/sweep/store_error.hpp"

namespace vgsim::sweep {
namespace {

class StoreReader {
 public:
  StoreReader(const std::string& file, const StoreHeader& header, files::Digest& digest,
              const LineTaker& take)
      : file_(file), header_(header), digest_(digest), take_(take) {}

  void line(std::string_view line) {
    ++number_;
    if (!is_sealed(line)) {
      refuse("its checksum is not that of its content: the file was changed or damaged");
    }
    if (content_.complete) refuse("it comes after the end of the store");
    if (!content_.has_header) {
      if (line != header_line(header_)) refuse(difference(line, header_));
      content_.has_header = true;
    } else if (is_footer(line)) {
      check_footer(line);
    } else {
      point(line);
    }
    if (!content_.complete) {
      digest_.add(line);
      digest_.add("\n");
    }
    content_.good_bytes += line.size() + 1;
  }

  /// Handles an incomplete line at the end of the file.
  void rest(std::string_view torn) {
    if (torn.empty()) return;
    if (content_.complete) {
      ++number_;
      refuse("it comes after the end of the store");
    }
    if (!content_.has_header && !header_line(header_).starts_with(torn)) {
      throw StoreError(fmt::format("{} is not the store of this sweep", file_));
    }
    content_.torn_bytes = torn.size();
  }

  [[nodiscard]] const StoreContent& content() const { return content_; }

 private:
  void point(std::string_view line) {
    const std::uint64_t size = header_.shard.size(header_.points);
    if (content_.points == size || !is_point(line, header_.shard.index(content_.points))) {
      refuse(content_.points == size ? "there are more points than the sweep has"
                                     : fmt::format("not point {}, which comes next",
                                                   header_.shard.index(content_.points)));
    }
    ++content_.points;
    if (take_) take_(line);
  }

  void check_footer(std::string_view line) {
    const std::uint64_t size = header_.shard.size(header_.points);
    if (content_.points != size) {
      refuse(
          fmt::format("it marks the store complete after {} of {} points", content_.points, size));
    }
    if (line != footer_line(size, digest_.text())) {
      refuse("the digest of all lines before it is another: lines were exchanged");
    }
    content_.complete = true;
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw StoreError(fmt::format("{}:{}: {}", file_, number_, why));
  }

  const std::string& file_;
  const StoreHeader& header_;
  files::Digest& digest_;
  const LineTaker& take_;
  StoreContent content_;
  std::uint64_t number_ = 0;
};

}  // namespace

StoreContent read_store(int descriptor, const std::string& file, const StoreHeader& header,
                        files::Digest& digest, const LineTaker& take) {
  LineReader lines(descriptor, file);
  StoreReader reader(file, header, digest, take);
  for (std::string_view line; lines.next(line);) reader.line(line);
  reader.rest(lines.rest());
  return reader.content();
}

StoreContent read_store(const std::string& file, const StoreHeader& header, const LineTaker& take) {
  const files::Descriptor opened = files::open_file(file, O_RDONLY);
  files::Digest digest;
  return read_store(opened.number(), file, header, digest, take);
}

}  // namespace vgsim::sweep
