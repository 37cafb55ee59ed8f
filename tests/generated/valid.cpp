#include "tests/generated/valid.hpp"

#include <algorithm>
#include <exception>

#include "models/scenario/answer/run_scenario.hpp"
#include "tests/generated/generator.hpp"
#include "tools/cli/scenario_input.hpp"

namespace vgsim::generated {
namespace {

constexpr std::uint64_t kDrafts = 8;
/// Numbers of the drafts after the first are beyond all requested ones.
constexpr std::uint64_t kBetweenDrafts = std::uint64_t{1} << 40;

/// A draft that ends in an exception is what is looked for.
bool is_worth_running(const Json& draft, const scenario::Library& library,
                      const std::string& path) {
  try {
    const auto document = scenario::Document::parse(input::make_source(path, draft.dump()));
    if (!document) return false;
    const auto input = cli::as_scenario_input(path, *document, {});
    if (!input) return false;
    const auto answer = scenario::validate_scenario(input->document, library, input->load);
    return answer && std::any_of(answer->layouts.begin(), answer->layouts.end(),
                                 [](const auto& layout) { return !layout.refused; });
  } catch (const std::exception&) {
    return true;
  }
}

}  // namespace

Json generate_valid(const Words& words, const scenario::Library& library, const std::string& path,
                    std::uint64_t seed, std::uint64_t number) {
  Json first = generate(words, seed, number);
  if (number % 8 == 7) return first;
  Json draft = first;
  for (std::uint64_t i = 1; !is_worth_running(draft, library, path); ++i) {
    if (i == kDrafts) return first;
    draft = generate(words, seed, number + i * kBetweenDrafts);
  }
  return draft;
}

}  // namespace vgsim::generated
