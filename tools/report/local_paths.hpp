#pragma once

#include <string>
#include <vector>

#include "tools/report/page.hpp"

namespace vgsim::report {

/// Removes these folders from the paths in all texts of the page, so that a page that is passed on
/// does not show where its files were: "/home/me/case/topo.xml" becomes "topo.xml". The machine-
/// readable scenario (Page::json) stays as it is.
void remove_folders(const std::vector<std::string>& folders, Page& page);

}  // namespace vgsim::report
