#include "tools/sweep/shard.hpp"

#include <fmt/format.h>

#include <charconv>

namespace vgsim::sweep {
namespace {

constexpr std::uint64_t kMostShards = 1'000'000;
constexpr const char* kExpected = "expected a shard such as 3/8 (from 1/8 to 8/8), or auto/8";

std::optional<std::uint64_t> read_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// An environment variable by which an engine numbers its tasks.
struct Variable {
  const char* name;
  std::uint64_t first;  ///< the number of the first task
};

constexpr Variable kVariables[] = {
    {"SLURM_ARRAY_TASK_ID", 1}, {"JOB_COMPLETION_INDEX", 0}, {"PARALLEL_SEQ", 1}};

tl::expected<Shard, std::string> automatic(std::uint64_t of, const Environment& environment) {
  for (const Variable& variable : kVariables) {
    const auto text = environment(variable.name);
    if (!text) continue;
    const auto number = read_number(*text);
    if (number && *number >= variable.first && *number - variable.first < of) {
      return Shard{*number - variable.first + 1, of};
    }
    return tl::unexpected(fmt::format("{} is \"{}\", not {} to {}", variable.name, *text,
                                      variable.first, variable.first + of - 1));
  }
  return tl::unexpected(fmt::format(
      "auto/{} outside of a job array: none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX and "
      "PARALLEL_SEQ is set",
      of));
}

}  // namespace

tl::expected<Shard, std::string> read_shard(const std::string& text,
                                            const Environment& environment) {
  const std::size_t slash = text.find('/');
  const auto of = slash == std::string::npos
                      ? std::nullopt
                      : read_number(std::string_view(text).substr(slash + 1));
  if (!of || *of < 1 || *of > kMostShards) return tl::unexpected(std::string(kExpected));
  const std::string number = text.substr(0, slash);
  if (number == "auto") return automatic(*of, environment);
  const auto own = read_number(number);
  if (!own || *own < 1 || *own > *of) return tl::unexpected(std::string(kExpected));
  return Shard{*own, *of};
}

std::string file_name(const Shard& shard) {
  if (shard.whole()) return "sweep.jsonl";
  const std::size_t width = std::to_string(shard.of).size();
  return fmt::format("shard-{:0{}}-of-{}.jsonl", shard.number, width, shard.of);
}

std::optional<Shard> shard_of_file(const std::string& name) {
  constexpr std::string_view kBefore = "shard-";
  constexpr std::string_view kBetween = "-of-";
  constexpr std::string_view kAfter = ".jsonl";
  const std::size_t between = name.find(kBetween);
  if (!name.starts_with(kBefore) || !name.ends_with(kAfter) || between == std::string::npos) {
    return std::nullopt;
  }
  const std::string_view text = name;
  const std::size_t of_begin = between + kBetween.size();
  if (between < kBefore.size() || of_begin + kAfter.size() > name.size()) return std::nullopt;
  const auto number = read_number(text.substr(kBefore.size(), between - kBefore.size()));
  const auto of = read_number(text.substr(of_begin, name.size() - kAfter.size() - of_begin));
  if (!number || !of || *number < 1 || *number > *of || *of < 2) return std::nullopt;
  const Shard shard{*number, *of};
  return file_name(shard) == name ? std::optional(shard) : std::nullopt;
}

}  // namespace vgsim::sweep
