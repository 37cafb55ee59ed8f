#include "models/scoring/run_cases.hpp"

#include <fmt/core.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/scenario/answer/parallel_for.hpp"
#include "sim/engine.hpp"
#include "topology/input/report.hpp"

namespace vgsim::scoring {

tl::expected<ScoredCase, input::Diagnostics> run_case(const Case& measured,
                                                      const PredictionSettings& settings) {
  const auto refused = [&](const std::string& why) {
    input::Diagnostics diagnostics;
    input::report(diagnostics, measured.head.origin, "the case cannot be run: " + why);
    return tl::unexpected(diagnostics);
  };
  try {
    auto prediction = measured.predict(settings);
    if (!prediction) return tl::unexpected(prediction.error());
    return ScoredCase{measured.head, std::move(*prediction)};
  } catch (const OverflowError& error) {
    return refused(error.what());
  } catch (const LimitExceeded& error) {
    return refused(error.what());
  } catch (const Stalled& error) {
    return refused(error.what());
  } catch (const std::logic_error& error) {
    throw std::logic_error(fmt::format("case {}: {}", measured.head.id, error.what()));
  }
}

std::vector<ScoredCase> run_cases(const std::vector<Case>& cases,
                                  const std::vector<PredictionSettings>& settings,
                                  input::Diagnostics& diagnostics) {
  std::vector<std::optional<tl::expected<ScoredCase, input::Diagnostics>>> outcomes(cases.size());
  scenario::parallel_for(cases.size(),
                         [&](std::size_t c) { outcomes[c] = run_case(cases[c], settings[c]); });
  std::vector<ScoredCase> scored;
  for (auto& outcome : outcomes) {
    if (*outcome) {
      scored.push_back(std::move(**outcome));
    } else {
      diagnostics.append(outcome->error());
    }
  }
  return scored;
}

}  // namespace vgsim::scoring
