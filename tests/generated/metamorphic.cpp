#include "tests/generated/metamorphic.hpp"

#include <fmt/format.h>

#include <cmath>

#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "models/scenario/read/layouts.hpp"
#include "sim/engine.hpp"
#include "tools/cli/config_files.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::generated {
namespace {

using scenario::LayoutResult;

struct Figure {
  std::string name;
  double seconds = 0;
  std::string choice;  ///< of NCCL, with its estimate
  std::string algorithm;
  std::string protocol;
  std::size_t channels = 0;
};

std::string estimate_of(const scenario::CollectivePoint& point) {
  if (!point.choice) return "";
  std::string text =
      fmt::format("{} {} (NCCL predicts {:.4g} us, vgsim {:.4g})", point.choice->algorithm,
                  point.choice->protocol, point.choice->predicted_us, to_seconds(point.time) * 1e6);
  if (point.runner_up) {
    text += fmt::format(", next {} {} ({:.4g} us)", point.runner_up->algorithm,
                        point.runner_up->protocol, point.runner_up->predicted_us);
  }
  return text;
}

std::string algorithms_of(const scenario::TrainingResult& training) {
  std::string text;
  for (const auto& [algorithm, buckets] : training.algorithms) {
    text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", buckets, algorithm);
  }
  return text;
}

std::vector<Figure> figures_of(const LayoutResult& layout, bool whole) {
  std::vector<Figure> figures;
  if (layout.training) {
    const auto time = whole ? scenario::compared_time(layout) : scenario::time_of(layout);
    figures.push_back({whole ? "training" : "time per sample", time.value_or(0),
                       algorithms_of(*layout.training), "", "", layout.channels});
  }
  if (!layout.collective) return figures;
  for (const auto& point : layout.collective->points) {
    Figure figure{input::format_bytes(point.size),
                  to_seconds(point.time),
                  estimate_of(point),
                  "",
                  "",
                  point.channels};
    if (point.choice) {
      figure.algorithm = point.choice->algorithm;
      figure.protocol = point.choice->protocol;
    }
    figures.push_back(std::move(figure));
  }
  return figures;
}

/// The layout's result; nothing where it is refused or does not fit a limit.
std::optional<LayoutResult> result_of(const Changed& changed, const std::string& path,
                                      const scenario::Library& library) {
  scenario::RunSettings settings;
  settings.parameters = changed.parameters;
  settings.memory_limit = std::uint64_t{2} << 30;
  settings.next_limit = false;
  settings.note_inputs = false;
  try {
    const auto result = scenario::run_scenario(input::make_source(path, changed.scenario.dump()),
                                               library, cli::loader_relative_to(path), settings);
    if (!result || result->layouts.empty() || result->layouts[0].refused) return std::nullopt;
    return result->layouts[0];
  } catch (const LimitExceeded&) {
    return std::nullopt;
  } catch (const OverflowError&) {
    return std::nullopt;
  } catch (const Stalled&) {
    return std::nullopt;
  }
}

bool is_worse(Effect effect, double before, double after, double tolerance) {
  const double share = after / before - 1;
  switch (effect) {
    case Effect::kNotSlower:
      return share > tolerance;
    case Effect::kNotFaster:
      return before / after - 1 > tolerance;
    case Effect::kSame:
      break;
  }
  return std::abs(share) > 1e-9;
}

/// Whether there is no loss where NCCL may choose nothing but what it chose for the worse of both
/// scenarios: algorithm, protocol, channels, kind of peer-to-peer: then all of the loss is NCCL's
/// own. `worse` is that scenario's figure, `better` the other scenario, which took longer.
bool is_nccls_own(const Changed& better, const Figure& worse, const std::string& path,
                  const scenario::Library& library, bool whole, double tolerance) {
  std::vector<std::pair<std::string, std::string>> pins = {{worse.algorithm, worse.protocol}};
  if (worse.algorithm.empty()) {
    pins = {{"Ring", "Simple"}, {"Ring", ""}, {"Tree", "Simple"}, {"Ring", "LL128"}};
  }
  const auto holds = [&](const Json& nccl) {
    Changed pinned = better;
    for (const auto& [name, value] : nccl.items()) pinned.scenario["job"]["nccl"][name] = value;
    const auto result = result_of(pinned, path, library);
    if (!result) return false;
    for (const Figure& figure : figures_of(*result, whole)) {
      if (figure.name == worse.name && figure.seconds <= worse.seconds * (1 + tolerance)) {
        return true;
      }
    }
    return false;
  };
  for (const auto& [algorithm, protocol] : pins) {
    Json nccl = Json::object();
    if (!algorithm.empty()) nccl["NCCL_ALGO"] = algorithm;
    if (!protocol.empty()) nccl["NCCL_PROTO"] = protocol;
    if (holds(nccl)) return true;
    if (worse.channels == 0) continue;
    nccl["NCCL_MAX_NCHANNELS"] = std::to_string(worse.channels);
    if (holds(nccl)) return true;
  }
  // It takes PCIe peer-to-peer wherever it can, also through root complexes.
  return holds({{"NCCL_P2P_LEVEL", "PXB"}});
}

}  // namespace

std::vector<Subject> subjects_of(const std::string& name, const std::string& path,
                                 const std::string& text) {
  const auto document = scenario::Document::parse(input::make_source(path, text));
  if (!document) return {};
  Json plain = Json::parse(text);
  if (!plain.contains("layouts")) {
    plain.erase("expect");
    return {{name, path, plain}};
  }
  input::Diagnostics diagnostics;
  std::vector<Subject> subjects;
  for (const auto& layout : scenario::read_layouts(*document, diagnostics)) {
    subjects.push_back({fmt::format("{}, \"{}\"", name, layout.name), path,
                        Json::parse(layout.document.canonical())});
  }
  return subjects;
}

Tried try_relations(const Subject& subject, const std::vector<Relation>& relations,
                    const scenario::Library& library, double tolerance) {
  Tried tried;
  const auto base = result_of({subject.scenario, {}}, subject.path, library);
  if (!base) return tried;
  for (const Relation& relation : relations) {
    const auto changed = relation.change(subject.scenario);
    if (!changed) continue;
    const auto result = result_of(*changed, subject.path, library);
    if (!result) {
      if (relation.effect == Effect::kSame) tried.lost.push_back(relation.name);
      continue;
    }
    ++tried.applied;
    const auto before = figures_of(*base, relation.whole_training);
    const auto after = figures_of(*result, relation.whole_training);
    for (std::size_t i = 0; i < before.size() && i < after.size(); ++i) {
      if (before[i].seconds <= 0 ||
          !is_worse(relation.effect, before[i].seconds, after[i].seconds, tolerance)) {
        continue;
      }
      Worse worse{relation.name, before[i].name, before[i].seconds, after[i].seconds, "", false};
      const bool other = before[i].choice != after[i].choice ||
                         before[i].channels != after[i].channels ||
                         base->hops_by_transport != result->hops_by_transport;
      if (other) {
        worse.choices = fmt::format("{} on {} channels -> {} on {}", before[i].choice,
                                    before[i].channels, after[i].choice, after[i].channels);
        const bool back = relation.effect == Effect::kNotFaster;
        worse.nccl = relation.effect != Effect::kSame &&
                     is_nccls_own(back ? Changed{subject.scenario, {}} : *changed,
                                  back ? after[i] : before[i], subject.path, library,
                                  relation.whole_training, tolerance);
      }
      tried.worse.push_back(std::move(worse));
    }
  }
  return tried;
}

Json to_json(const Tried& tried) {
  Json made = {{"applied", tried.applied}, {"lost", tried.lost}, {"worse", Json::array()}};
  for (const Worse& worse : tried.worse) {
    made["worse"].push_back({{"relation", worse.relation},
                             {"figure", worse.figure},
                             {"before", worse.before_s},
                             {"after", worse.after_s},
                             {"choices", worse.choices},
                             {"nccl", worse.nccl}});
  }
  return made;
}

Tried tried_from(const Json& json) {
  Tried tried{json["applied"], json["lost"], {}};
  for (const Json& one : json["worse"]) {
    tried.worse.push_back(
        {one["relation"], one["figure"], one["before"], one["after"], one["choices"], one["nccl"]});
  }
  return tried;
}

}  // namespace vgsim::generated
