#pragma once

#include <memory>
#include <optional>

#include "models/calibration/calibration.hpp"
#include "models/calibration/used_parameters.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/read/scenario.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// The library that one layout is simulated with.
struct LayoutLibrary {
  std::shared_ptr<const Library> library;
  std::string calibration;  ///< what it is called and where it is from; empty without one
  std::shared_ptr<calibration::UsedParameters> used;  ///< or nullptr
};

/// The library with what a calibration says instead of the defaults.
[[nodiscard]] Library calibrated(const Library& library,
                                 const calibration::Calibration& calibration);

/// The calibration of that name, or in that file "NAME.json"; nothing after a report.
[[nodiscard]] std::optional<calibration::Calibration> find_calibration(
    const input::At<std::string>& named, const Library& library, const input::FileLoader& load,
    input::Diagnostics& diagnostics);

/// The library with what the layout's calibration says instead of the defaults and, as the settings
/// ask for it, with parameters drawn from their intervals, at other values, or noted when they are
/// used. Reports calibrations that do not exist.
[[nodiscard]] LayoutLibrary library_of(const Layout& layout, const Library& library,
                                       const input::FileLoader& load, const RunSettings& settings,
                                       input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
