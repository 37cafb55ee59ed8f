#include "models/scenario/build/layout_library.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "models/calibration/read/calibration_file.hpp"
#include "models/scenario/build/parameter_draw.hpp"
#include "models/scenario/read/library.hpp"
#include "topology/input/suggest.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

/// Without ownership.
std::shared_ptr<const Library> borrowed(const Library& library) {
  return {std::shared_ptr<const Library>(), &library};
}

calibration::Parameters with_values(const calibration::Parameters& parameters,
                                    const RunSettings& settings) {
  std::map<std::string, calibration::Uncertain> values;
  for (const auto& [name, value] : settings.parameters) values[name] = {value, value, value};
  return parameters.with(values, "set");
}

}  // namespace

std::optional<calibration::Calibration> find_calibration(const input::At<std::string>& named,
                                                         const Library& library,
                                                         const input::FileLoader& load,
                                                         input::Diagnostics& diagnostics) {
  const std::string& name = *named;
  input::SourcePtr file;
  if (name.ends_with(".json")) {
    auto loaded = load(name);
    if (!loaded) {
      diagnostics.append(loaded.error());
      return std::nullopt;
    }
    file = *loaded;
  } else if (library.calibrations.contains(name)) {
    file = library.calibrations.at(name);
  } else {
    std::vector<std::string> names;
    for (const auto& [known, source] : library.calibrations) names.push_back(known);
    topology::report(diagnostics, named, fmt::format("unknown calibration \"{}\"", name),
                     fmt::format("a file NAME.json, or one of: {}", fmt::join(names, ", ")),
                     input::suggest(name, names));
    return std::nullopt;
  }
  auto calibration = calibration::read_calibration(file);
  if (calibration) return std::move(*calibration);
  diagnostics.append(calibration.error());
  return std::nullopt;
}

Library calibrated(const Library& library, const calibration::Calibration& calibration) {
  Library own = library;
  own.parameters =
      own.parameters.with(calibration.parameters,
                          fmt::format("calibration {}: {}", calibration.name, calibration.source));
  own.corrections = calibration.corrections;
  return own;
}

LayoutLibrary library_of(const Layout& layout, const Library& library,
                         const input::FileLoader& load, const RunSettings& settings,
                         input::Diagnostics& diagnostics) {
  const auto& named = layout.calibration;
  LayoutLibrary result{borrowed(library), "", nullptr};
  if (!named && !settings.draw && settings.parameters.empty() && !settings.note_inputs) {
    return result;
  }
  auto own = std::make_shared<Library>(library);
  std::vector<calibration::Correlation> correlations;
  if (named) {
    const auto calibration = find_calibration(*named, library, load, diagnostics);
    if (!calibration) return result;
    result.calibration =
        fmt::format("{} of {}: {} parameters, {}", calibration->name, calibration->date,
                    calibration->parameters.size(), calibration->source);
    *own = calibrated(library, *calibration);
    correlations = calibration->correlations;
  }
  if (settings.draw && !layout.idealised.is_exact()) {
    own->parameters = drawn(own->parameters, correlations, *settings.draw);
  }
  if (!settings.parameters.empty()) own->parameters = with_values(own->parameters, settings);
  if (settings.note_inputs) {
    result.used = std::make_shared<calibration::UsedParameters>();
    own->parameters = own->parameters.noting(result.used);
  }
  result.library = std::move(own);
  return result;
}

}  // namespace vgsim::scenario
