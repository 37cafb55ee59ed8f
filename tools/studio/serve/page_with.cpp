#include "tools/studio/serve/page_with.hpp"

#include <stdexcept>
#include <string_view>
#include <utility>

#include "tools/report/text.hpp"

namespace vgsim::studio {
namespace {

constexpr std::string_view kPlace = R"(<script type="application/json" id="scenario"></script>)";
constexpr std::string_view kInReport = R"(<script type="text/plain" id="in-report" data-policy=")";

/// The text from there to the first `end`, and moves `at` behind that.
std::string text_until(const std::string& page, std::string_view end, std::size_t& at) {
  const std::size_t from = at;
  const std::size_t to = page.find(end, from);
  if (to == page.npos) throw std::invalid_argument("this is not the studio's page");
  at = to + end.size();
  return page.substr(from, to - from);
}

}  // namespace

std::string page_with(std::string page, const Opening& opening) {
  const std::size_t at = page.find(kPlace);
  if (at == page.npos) throw std::invalid_argument("this is not the studio's page");
  const std::string element = R"(<script type="application/json" id="scenario" data-name=")" +
                              report::escaped(opening.name) + "\">" +
                              report::escaped_json(file_text(opening.document, opening.files)) +
                              "</script>";
  page.replace(at, kPlace.size(), element);
  return page;
}

report::Simulator simulator_with(const std::string& page, const Opening& opening) {
  std::size_t at = 0;
  text_until(page, kInReport, at);
  std::string policy = text_until(page, "\">", at);
  std::string script = text_until(page, "</script>", at);
  return {page_with(page, opening), std::move(script), std::move(policy)};
}

}  // namespace vgsim::studio
