#include "tools/studio/serve/page_with.hpp"

#include <stdexcept>
#include <string_view>

#include "tools/report/text.hpp"

namespace vgsim::studio {
namespace {

constexpr std::string_view kPlace = R"(<script type="application/json" id="scenario"></script>)";

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

}  // namespace vgsim::studio
