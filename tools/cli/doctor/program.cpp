#include <fmt/format.h>
#include <hwloc.h>
#include <zlib.h>

#include <CLI/Version.hpp>
#include <Eigen/Core>
#include <boost/version.hpp>
#include <nlohmann/json.hpp>
#include <protozero/version.hpp>
#include <pugixml.hpp>

#include "tools/cli/doctor/check.hpp"

namespace vgsim::cli::doctor {
namespace {

std::string compiler() {
#if defined(__clang__)
  return fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

std::string parts(unsigned major, unsigned minor, unsigned patch) {
  return fmt::format("{}.{}.{}", major, minor, patch);
}

std::string libraries() {
  const unsigned hwloc = hwloc_get_api_version();
  const std::vector<std::string> names = {
      "fmt " + parts(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100),
      "nlohmann-json " + parts(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                               NLOHMANN_JSON_VERSION_PATCH),
      "CLI11 " CLI11_VERSION,
      "Boost " + parts(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100),
      "Eigen " + parts(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION),
      fmt::format("pugixml {}.{}", PUGIXML_VERSION / 1000, PUGIXML_VERSION / 10 % 100),
      fmt::format("protozero {}", PROTOZERO_VERSION_STRING),
      fmt::format("zlib {}", zlibVersion()),
      "hwloc " + parts(hwloc >> 16U, (hwloc >> 8U) & 0xffU, hwloc & 0xffU),
  };
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::vector<Check> check_program(const std::string& program) {
  return {{State::kOk, "program", fmt::format("{}, built by {}", program, compiler()), {}},
          {State::kOk, "libraries", libraries(), {}}};
}

}  // namespace vgsim::cli::doctor
