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

/// The library of one layout.
struct LayoutLibrary {
  std::shared_ptr<const Library> library;
  std::string calibration;                            ///< name and origin; empty without one
  std::shared_ptr<calibration::UsedParameters> used;  ///< or nullptr
};

/// The library with the values of a calibration instead of the defaults.
[[nodiscard]] Library calibrated(const Library& library,
                                 const calibration::Calibration& calibration);

/// The calibration of that name, or in the file "NAME.json"; nothing after an error report.
[[nodiscard]] std::optional<calibration::Calibration> find_calibration(
    const input::At<std::string>& named, const Library& library, const input::FileLoader& load,
    input::Diagnostics& diagnostics);

/// The library with the values of the layout's calibration and, depending on the settings, with
/// drawn or replaced parameters and a record of those used. Reports unknown calibrations.
[[nodiscard]] LayoutLibrary library_of(const Layout& layout, const Library& library,
                                       const input::FileLoader& load, const RunSettings& settings,
                                       input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
