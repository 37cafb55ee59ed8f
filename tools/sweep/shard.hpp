#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tl/expected.hpp>

namespace vgsim::sweep {

/// The part of a sweep for one machine: the points whose index modulo `of` is `number` - 1.
/// Neighbours in the grid, which take about as long, go to different machines.
struct Shard {
  std::uint64_t number = 1;  ///< from 1
  std::uint64_t of = 1;

  bool operator==(const Shard&) const = default;

  [[nodiscard]] bool whole() const { return of == 1; }
  /// Its number of points, for a sweep of `points`.
  [[nodiscard]] std::uint64_t size(std::uint64_t points) const {
    return points < number ? 0 : (points - number) / of + 1;
  }
  /// The index of its `k`-th point, from 0.
  [[nodiscard]] std::uint64_t index(std::uint64_t k) const { return number - 1 + k * of; }
};

/// Looks up an environment variable.
using Environment = std::function<std::optional<std::string>(const char* name)>;

/// Reads "3/8" or "auto/8". "auto" is the task number of the engine that started the program:
/// the first that is set of SLURM_ARRAY_TASK_ID (from 1), JOB_COMPLETION_INDEX of Kubernetes
/// (from 0) and PARALLEL_SEQ of GNU parallel (from 1). The error describes what was expected.
[[nodiscard]] tl::expected<Shard, std::string> read_shard(const std::string& text,
                                                          const Environment& environment);

/// "sweep.jsonl" of a whole sweep, otherwise "shard-03-of-12.jsonl", so that files sort by
/// number.
[[nodiscard]] std::string file_name(const Shard& shard);

/// The shard of a file of that name; nothing for other names.
[[nodiscard]] std::optional<Shard> shard_of_file(const std::string& name);

}  // namespace vgsim::sweep
