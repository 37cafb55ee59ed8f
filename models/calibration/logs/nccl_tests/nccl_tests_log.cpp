#include "models/calibration/logs/nccl_tests/nccl_tests_log.hpp"

#include <charconv>
#include <string>

#include "models/calibration/logs/nccl_tests/nccl_tests_json.hpp"
#include "models/calibration/logs/nccl_tests/nccl_tests_text.hpp"

namespace vgsim::calibration {

namespace nccl_tests = logs::nccl_tests;

std::optional<std::int64_t> gpus_per_thread(const LogTable& table) {
  constexpr std::string_view kWord = "nGpus ";
  if (!table.test_settings) return std::nullopt;
  const std::size_t at = table.test_settings->find(kWord);
  if (at == std::string::npos) return std::nullopt;
  const char* const begin = table.test_settings->data() + at + kWord.size();
  std::int64_t count = 0;
  const auto read =
      std::from_chars(begin, table.test_settings->data() + table.test_settings->size(), count);
  return read.ec == std::errc() && count > 0 ? std::optional(count) : std::nullopt;
}

bool is_nccl_tests_log(std::string_view text) {
  return nccl_tests::is_json(text) || nccl_tests::is_text(text);
}

tl::expected<std::vector<LogTable>, input::Diagnostics> read_nccl_tests_log(
    const input::SourcePtr& file, input::Diagnostics& warnings) {
  if (nccl_tests::is_json(file->text)) return nccl_tests::read_json(file, warnings);
  return nccl_tests::read_text(file, warnings);
}

}  // namespace vgsim::calibration
