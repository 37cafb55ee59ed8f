#include "models/vsphere/import/utf8_source.hpp"

#include <cstdint>

namespace vgsim::vsphere::import {
namespace {

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
constexpr std::string_view kLittleEndianMark = "\xFF\xFE";
constexpr std::string_view kBigEndianMark = "\xFE\xFF";
constexpr std::uint32_t kBroken = 0xFFFD;

void append_utf8(std::string& out, std::uint32_t point) {
  const auto tail = [&](unsigned shift) {
    out += static_cast<char>(0x80U | ((point >> shift) & 0x3FU));
  };
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xC0U | (point >> 6U));
    tail(0);
  } else if (point < 0x10000) {
    out += static_cast<char>(0xE0U | (point >> 12U));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0U | (point >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

/// Surrogate pairs are joined; incomplete pairs and units become U+FFFD, so that one invalid
/// character does not invalidate the file.
class Utf16 {
 public:
  Utf16(std::string_view bytes, bool little_endian)
      : bytes_(bytes), little_endian_(little_endian) {}

  [[nodiscard]] bool done() const { return offset_ + 1 >= bytes_.size(); }

  [[nodiscard]] std::uint32_t next() {
    const std::uint32_t first = unit(offset_);
    offset_ += 2;
    if (first < 0xD800 || first > 0xDFFF) return first;
    if (first > 0xDBFF || done()) return kBroken;
    const std::uint32_t second = unit(offset_);
    if (second < 0xDC00 || second > 0xDFFF) return kBroken;
    offset_ += 2;
    return 0x10000 + ((first - 0xD800) << 10U) + (second - 0xDC00);
  }

 private:
  [[nodiscard]] std::uint32_t unit(std::size_t at) const {
    const auto a = static_cast<unsigned char>(bytes_[at]);
    const auto b = static_cast<unsigned char>(bytes_[at + 1]);
    return little_endian_ ? (std::uint32_t{b} << 8U) | a : (std::uint32_t{a} << 8U) | b;
  }

  std::string_view bytes_;
  bool little_endian_;
  std::size_t offset_ = 0;
};

bool is_utf16(std::string_view text) {
  return text.starts_with(kLittleEndianMark) || text.starts_with(kBigEndianMark);
}

std::string from_utf16(std::string_view text) {
  Utf16 units(text.substr(2), text.starts_with(kLittleEndianMark));
  std::string out;
  out.reserve(text.size() / 2);
  while (!units.done()) append_utf8(out, units.next());
  return out;
}

}  // namespace

input::SourcePtr in_utf8(const input::SourcePtr& source) {
  const std::string_view text = source->text;
  if (is_utf16(text)) return input::make_source(source->path, from_utf16(text));
  if (text.starts_with(kUtf8Mark)) {
    return input::make_source(source->path, std::string(text.substr(kUtf8Mark.size())));
  }
  return source;
}

std::string utf8_start(std::string_view text, std::size_t bytes) {
  text = text.substr(0, bytes);
  if (is_utf16(text)) return from_utf16(text);
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  return std::string(text);
}

}  // namespace vgsim::vsphere::import
