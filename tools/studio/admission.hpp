#pragma once

#include <string>
#include <string_view>

namespace vgsim::studio {

/// What of a request decides whether it is let in.
struct Knock {
  std::string_view method;
  std::string_view target;        ///< "/TOKEN/state?after=3"
  std::string_view host;          ///< of the Host header
  std::string_view origin;        ///< of the Origin header; empty where there is none
  std::string_view fetch_site;    ///< of the Sec-Fetch-Site header; the same
  std::string_view content_type;  ///< the same
};

/// Nothing wrong: 0. Else the status that it is refused with: 403 for another host, origin or token
/// (who rebinds a name to this machine has another host), 405 for another method, 415 where what is
/// sent is no JSON, which pages of other origins could send without being asked.
[[nodiscard]] int refusal(const Knock& knock, std::string_view token);

/// What follows the token in the target, without its query: "state"; empty for the page itself.
[[nodiscard]] std::string_view path_in(std::string_view target);

/// The text with "%41" as "A"; what is no such code stays as it is.
[[nodiscard]] std::string decoded(std::string_view text);

}  // namespace vgsim::studio
