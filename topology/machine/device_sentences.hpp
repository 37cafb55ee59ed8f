#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace vgsim::topology {

/// Sentences about many devices: each is stored once, in the order of first mention, with its
/// devices
/// ("...: GPU0, GPU1, GPU2, GPU3, GPU4 and 3 more").
class DeviceSentences {
 public:
  void add(const std::string& what, const std::string& who = {});
  [[nodiscard]] std::size_t size() const { return list_.size(); }
  /// Appends the sentences, each with at most `most` devices.
  void tell(std::vector<std::string>& sentences, std::size_t most = 5) const;

 private:
  struct Sentence {
    std::string what;
    std::vector<std::string> who;
    std::set<std::string> known;  ///< the same devices
  };
  std::vector<Sentence> list_;
  std::map<std::string, std::size_t> index_;  ///< of each `what` in the list
};

}  // namespace vgsim::topology
