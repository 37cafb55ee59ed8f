#pragma once

#include <gmock/gmock.h>

#include <string>

#include "models/calibration/measurement.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::calibration {

/// The result of reading a log.
struct ReadLog {
  Measurement measurement;
  std::string errors;
  std::string warnings;
};

using LogReader = tl::expected<Measurement, input::Diagnostics> (*)(const input::SourcePtr& file,
                                                                    input::Diagnostics& warnings);

inline ReadLog read_log(LogReader reader, const std::string& text) {
  input::Diagnostics warnings;
  const auto result = reader(input::make_source("t.log", text), warnings);
  return {result.value_or(Measurement{}), result ? std::string() : input::render(result.error()),
          input::render(warnings)};
}

inline auto left_out(const std::string& what, const std::string& why) {
  return testing::AllOf(testing::Field(&LeftOut::what, testing::HasSubstr(what)),
                        testing::Field(&LeftOut::why, testing::HasSubstr(why)));
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace vgsim::calibration
