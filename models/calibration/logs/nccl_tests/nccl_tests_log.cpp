#include "models/calibration/logs/nccl_tests/nccl_tests_log.hpp"

#include "models/calibration/logs/nccl_tests/nccl_tests_json.hpp"
#include "models/calibration/logs/nccl_tests/nccl_tests_text.hpp"

namespace vgsim::calibration {

namespace nccl_tests = logs::nccl_tests;

bool is_nccl_tests_log(std::string_view text) {
  return nccl_tests::is_json(text) || nccl_tests::is_text(text);
}

tl::expected<std::vector<LogTable>, input::Diagnostics> read_nccl_tests_log(
    const input::SourcePtr& file, input::Diagnostics& warnings) {
  if (nccl_tests::is_json(file->text)) return nccl_tests::read_json(file, warnings);
  return nccl_tests::read_text(file, warnings);
}

}  // namespace vgsim::calibration
