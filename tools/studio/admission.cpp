#include "tools/studio/admission.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace vgsim::studio {
namespace {

/// In constant time, so that timing does not reveal a prefix of the token.
bool same_token(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  std::uint8_t different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    different |= static_cast<std::uint8_t>(a[i] ^ b[i]);
  }
  return different == 0;
}

/// Whether a Host header is this machine; its port may be that of a tunnel.
bool is_this_machine(std::string_view host) {
  constexpr std::array<std::string_view, 2> kNames{"127.0.0.1", "localhost"};
  const std::size_t colon = host.rfind(':');
  const std::string_view name = host.substr(0, colon);
  const std::string_view port = colon == host.npos ? std::string_view() : host.substr(colon + 1);
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() &&
         port.find_first_not_of("0123456789") == port.npos;
}

std::string_view token_in(std::string_view target) {
  if (!target.starts_with('/')) return {};
  const std::size_t end = target.find('/', 1);
  return end == target.npos ? std::string_view() : target.substr(1, end - 1);
}

std::optional<int> digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

}  // namespace

int refusal(const RequestHead& head, std::string_view token) {
  if (!is_this_machine(head.host)) return 403;
  if (!head.origin.empty() && head.origin != "http://" + std::string(head.host)) return 403;
  const bool same_site =
      head.fetch_site.empty() || head.fetch_site == "same-origin" || head.fetch_site == "none";
  if (!same_site) return 403;
  if (!same_token(token_in(head.target), token)) return 403;
  if (head.method != "GET" && head.method != "POST") return 405;
  const bool sends_json =
      head.content_type == "application/json" || head.content_type.starts_with("application/json;");
  return head.method == "POST" && !sends_json ? 415 : 0;
}

std::string_view path_in(std::string_view target) {
  const std::size_t end = target.find('/', 1);
  if (end == target.npos) return {};
  const std::string_view rest = target.substr(end + 1);
  return rest.substr(0, rest.find('?'));
}

std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto high = text[i] == '%' && i + 2 < text.size() ? digit(text[i + 1]) : std::nullopt;
    const auto low = high ? digit(text[i + 2]) : std::nullopt;
    if (low) {
      plain += static_cast<char>(*high * 16 + *low);
      i += 2;
    } else {
      plain += text[i] == '+' ? ' ' : text[i];
    }
  }
  return plain;
}

}  // namespace vgsim::studio
