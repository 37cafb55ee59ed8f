#include "topology/importers/infragraph/infragraph_slices.hpp"

#include <algorithm>
#include <array>

#include "topology/importers/text.hpp"

namespace vgsim::topology::infragraph {
namespace {

constexpr std::int64_t kMost = 10'000'000;

/// What a slice is of a number of things; both ends lie within.
struct Range {
  std::int64_t start = 0;
  std::int64_t stop = 0;
  std::int64_t step = 1;
};

Range range_of(const Slice& slice, std::int64_t count) {
  const auto from_end = [count](std::int64_t index) { return index < 0 ? index + count : index; };
  if (slice.is_index) {
    const std::int64_t index = from_end(*slice.start);
    const bool is_there = index >= 0 && index < count;
    return is_there ? Range{index, index + 1, 1} : Range{};
  }
  // As Python does it: what lies outside is drawn in to the nearest end.
  const std::int64_t least = slice.step > 0 ? 0 : -1;
  const std::int64_t most = slice.step > 0 ? count : count - 1;
  const auto drawn_in = [&](const std::optional<std::int64_t>& index, std::int64_t otherwise) {
    return index ? std::clamp(from_end(*index), least, most) : otherwise;
  };
  return slice.step > 0 ? Range{drawn_in(slice.start, 0), drawn_in(slice.stop, count), slice.step}
                        : Range{drawn_in(slice.start, most), drawn_in(slice.stop, -1), slice.step};
}

std::int64_t size_of(const Range& range) {
  const std::int64_t length = range.step > 0 ? range.stop - range.start : range.start - range.stop;
  const std::int64_t step = range.step > 0 ? range.step : -range.step;
  return length <= 0 ? 0 : (length + step - 1) / step;
}

}  // namespace

/// Python's rules: a missing start or stop depends on the sign of the step, negative numbers count
/// from the end, and what lies beyond the end is cut off, not an error.
std::optional<Slice> parse_slice(std::string_view text) {
  if (text.empty()) return Slice{};
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::array<std::optional<std::int64_t>, 3> parts;
  std::size_t part = 0;
  while (true) {
    const std::size_t end = std::min(text.find(':'), text.size());
    const std::string_view number = trimmed(text.substr(0, end));
    if (!number.empty()) {
      parts[part] = whole_number(number, -kMost, kMost);
      if (!parts[part]) return std::nullopt;
    }
    if (end == text.size()) break;
    if (++part == parts.size()) return std::nullopt;
    text.remove_prefix(end + 1);
  }
  if (part == 0) return parts[0] ? std::optional(Slice{parts[0], {}, 1, true}) : std::nullopt;
  if (parts[2] == 0) return std::nullopt;
  return Slice{parts[0], parts[1], parts[2].value_or(1), false};
}

std::int64_t size_of(const Slice& slice, std::int64_t count) {
  return size_of(range_of(slice, count));
}

std::vector<std::int64_t> indexes_of(const Slice& slice, std::int64_t count) {
  const Range range = range_of(slice, count);
  std::vector<std::int64_t> indexes;
  for (std::int64_t i = 0; i < size_of(range); ++i) indexes.push_back(range.start + i * range.step);
  return indexes;
}

bool reaches_beyond(const Slice& slice, std::int64_t count) {
  if (slice.is_index) return *slice.start >= count || *slice.start < -count;
  return count_for(slice) > count;
}

std::int64_t count_for(const Slice& slice) {
  const std::int64_t start = slice.start.value_or(-1);
  if (slice.is_index || slice.step < 0) return std::max<std::int64_t>(start + 1, 0);
  return std::max<std::int64_t>({slice.stop.value_or(0), start, 0});
}

}  // namespace vgsim::topology::infragraph
