#pragma once

#include "tests/generated/relations.hpp"

namespace vgsim::generated {

/// A scenario without layouts, and where it is from.
struct Subject {
  std::string name;  ///< "questions/q05-nic-upgrade.json, \"100 GbE\""
  std::string path;  ///< of the file, for what it names
  Json scenario;
};

/// A figure that a change made worse, or made another.
struct Worse {
  std::string relation;
  std::string figure;  ///< "iteration per sample", "1 MiB"
  double before_s = 0;
  double after_s = 0;
  std::string choices;  ///< what NCCL chose before and after, with its estimate; empty: the same
  bool nccl = false;    ///< with NCCL held to what it chose before, it is not worse

  [[nodiscard]] double share() const { return after_s / before_s - 1; }
};

/// Layouts of a scenario, each as a separate scenario; empty if it cannot be read.
[[nodiscard]] std::vector<Subject> subjects_of(const std::string& name, const std::string& path,
                                               const std::string& text);

/// What becomes of a subject under the relations.
struct Tried {
  std::size_t applied = 0;        ///< relations that had a place, and ran
  std::vector<std::string> lost;  ///< relations after which it no longer runs, of those that must
  std::vector<Worse> worse;
};

/// Tries relations on it; worse by more than `tolerance` (a share) counts.
[[nodiscard]] Tried try_relations(const Subject& subject, const std::vector<Relation>& relations,
                                  const scenario::Library& library, double tolerance);

[[nodiscard]] Json to_json(const Tried& tried);
[[nodiscard]] Tried tried_from(const Json& json);

}  // namespace vgsim::generated
