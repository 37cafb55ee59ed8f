#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/questions/read/sweep.hpp"
#include "tools/sweep/merge.hpp"
#include "tools/sweep/store_lines.hpp"
#include "tools/sweep/store_reader.hpp"
#include "tools/sweep/summary.hpp"

namespace vgsim::sweep {

/// Progress of a sweep, or of a shard.
struct HowFar {
  std::uint64_t done = 0;
  std::uint64_t all = 0;
  std::uint64_t now = 0;     ///< of `done`, since this process began
  std::uint64_t failed = 0;  ///< of `now`
};

/// "3412/10000  21.4/s  ETA 5 min  failed 0"; `seconds` since this process began.
[[nodiscard]] std::string progress_text(const HowFar& far, double seconds);

/// "2 min", "3.5 h": a rough duration.
[[nodiscard]] std::string rough_time(double seconds);

/// The number of stored results of a sweep that ended early, and the command that continues it.
[[nodiscard]] std::string kept_text(std::uint64_t points, std::uint64_t all,
                                    const std::string& command);

/// Which points are missing from which shards.
[[nodiscard]] std::string missing_text(const std::vector<MissingShard>& missing,
                                       const StoreHeader& header);

/// The best points of a store on one screen, and the path of the store.
[[nodiscard]] std::string result_screen(const Summary& summary, const StoreHeader& header,
                                        const StoreContent& content, const std::string& file,
                                        const std::vector<std::string>& metrics,
                                        const text::TerminalSize& terminal);

/// The summary of a store, and its path.
[[nodiscard]] std::string result_text(const Summary& summary, const StoreHeader& header,
                                      const StoreContent& content, const std::string& file,
                                      const std::vector<std::string>& metrics);
[[nodiscard]] std::string result_json(const Summary& summary, const StoreHeader& header,
                                      const StoreContent& content, const std::string& file);

/// The plan of a sweep: the values of every axis, and the number of points.
[[nodiscard]] std::string plan_text(const scenario::Sweep& sweep, const Shard& shard);
[[nodiscard]] std::string plan_json(const scenario::Sweep& sweep, const Shard& shard);

}  // namespace vgsim::sweep
