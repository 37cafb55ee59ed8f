#pragma once

#include <map>
#include <string>
#include <vector>

namespace vgsim::vsphere::import::testing {

/// A ZIP archive of files by name, packed.
std::string zip_of(const std::map<std::string, std::string>& files);

using SheetRows = std::vector<std::vector<std::string>>;

/// The parts of a workbook with these sheets; every cell is a separate text.
std::map<std::string, std::string> workbook_parts(
    const std::vector<std::pair<std::string, SheetRows>>& sheets);

/// The workbook itself.
std::string workbook_of(const std::vector<std::pair<std::string, SheetRows>>& sheets);

}  // namespace vgsim::vsphere::import::testing
