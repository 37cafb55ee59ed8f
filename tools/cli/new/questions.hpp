#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "tools/cli/new/scenario_request.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::cli {

/// A question of the form: the option's name, and what is taken without an answer.
struct FormField {
  std::string name;   ///< "server", as in `--server`
  std::string label;  ///< "Server"
  std::string usual;
};

/// The questions with the defaults that follow from the answers so far; with defaults of an empty
/// request if these are invalid.
[[nodiscard]] std::vector<FormField> form_fields(const ScenarioRequest& request,
                                                 const scenario::Library& library);

/// The request with these answers by name; empty ones and unknown names are left out.
[[nodiscard]] ScenarioRequest answered_request(const std::map<std::string, std::string>& answers);

/// Asks for the missing values of the request. An empty answer, or end of input, takes the
/// default; an invalid one is asked again, with the nearest known words.
void ask_for_missing(std::istream& answers, std::ostream& questions,
                     const scenario::Library& library, ScenarioRequest& request);

}  // namespace vgsim::cli
