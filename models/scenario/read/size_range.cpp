#include "models/scenario/read/size_range.hpp"

#include <charconv>
#include <optional>
#include <string>

#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

constexpr const char* kNoun = "sizes such as \"8 B .. 8 GiB x2\" or \"1 GiB\"";
constexpr std::size_t kMostSizes = 1000;

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::optional<std::int64_t> parse_factor(std::string_view text) {
  std::int64_t factor = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), factor);
  if (error != std::errc() || end != text.data() + text.size() || factor < 2) return std::nullopt;
  return factor;
}

}  // namespace

tl::expected<std::vector<Bytes>, std::string> parse_size_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    const auto size = input::parse_bytes(trimmed(text));
    if (!size) return tl::unexpected(size.error());
    if (*size < Bytes{1}) return tl::unexpected(std::string("a size of at least 1 B"));
    return std::vector{*size};
  }
  const std::size_t cross = text.rfind('x');
  if (cross == std::string_view::npos || cross < dots) return tl::unexpected(std::string(kNoun));
  const auto first = input::parse_bytes(trimmed(text.substr(0, dots)));
  const auto last = input::parse_bytes(trimmed(text.substr(dots + 2, cross - dots - 2)));
  const auto factor = parse_factor(trimmed(text.substr(cross + 1)));
  if (!first) return tl::unexpected(first.error());
  if (!last) return tl::unexpected(last.error());
  if (!factor) return tl::unexpected(std::string("a whole factor of at least 2 after \"x\""));
  if (*first < Bytes{1} || *last < *first) {
    return tl::unexpected(std::string("sizes that grow from at least 1 B"));
  }
  std::vector<Bytes> sizes{*first};
  while (sizes.back().count() <= last->count() / *factor && sizes.size() < kMostSizes) {
    sizes.push_back(sizes.back() * *factor);
  }
  return sizes;
}

input::Decoder<std::vector<Bytes>> size_range() {
  return input::text(
      kNoun,
      "^[ ]*[0-9][0-9.]* ?[A-Za-z]+[ ]*([.][.][ ]*[0-9][0-9.]* ?[A-Za-z]+[ ]*x[ ]*[0-9]+[ ]*)?$",
      &parse_size_range);
}

}  // namespace vgsim::scenario
