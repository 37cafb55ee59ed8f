#include "topology/machine/bus_id.hpp"

#include <algorithm>

namespace vgsim::topology {
namespace {

bool is_hex_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Whether the text is a domain of that many digits, followed by bus, device and function.
bool has_domain_of(std::string_view text, std::size_t digits) {
  constexpr std::string_view kTail = ":hh:hh.h";
  if (text.size() != digits + kTail.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char wanted = i < digits ? 'h' : kTail[i - digits];
    if (wanted == 'h' ? !is_hex_digit(text[i]) : text[i] != wanted) return false;
  }
  return true;
}

}  // namespace

std::string normalized_bus_id(std::string_view text) {
  bool fits = false;
  for (std::size_t digits = 4; digits <= 8; ++digits) fits = fits || has_domain_of(text, digits);
  if (!fits) return {};
  while (text.size() > std::string_view("0000:00:00.0").size() && text.front() == '0') {
    text.remove_prefix(1);
  }
  std::string id(text);
  std::transform(id.begin(), id.end(), id.begin(),
                 [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c; });
  return id;
}

std::string_view card_of(std::string_view bus_id) { return bus_id.substr(0, bus_id.rfind('.')); }

bool bus_id_less(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace vgsim::topology
