#pragma once

#include <string>
#include <string_view>

namespace vgsim::studio {

/// The parts of a request that decide whether it is accepted.
struct RequestHead {
  std::string_view method;
  std::string_view target;        ///< "/TOKEN/state?after=3"
  std::string_view host;          ///< of the Host header
  std::string_view origin;        ///< of the Origin header; empty if there is none
  std::string_view fetch_site;    ///< of the Sec-Fetch-Site header; the same
  std::string_view content_type;  ///< the same
};

/// 0 to accept, else the status: 403 for another host (DNS rebinding), origin or token; 405 for
/// another method; 415 for a POST that is not JSON, as pages of other origins can send such
/// without a preflight.
[[nodiscard]] int refusal(const RequestHead& head, std::string_view token);

/// The path behind the token, without query: "state"; empty for the page itself.
[[nodiscard]] std::string_view path_in(std::string_view target);

/// The text with "%41" as "A"; other text is unchanged.
[[nodiscard]] std::string decoded(std::string_view text);

}  // namespace vgsim::studio
