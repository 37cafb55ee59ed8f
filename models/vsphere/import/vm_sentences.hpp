#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "topology/input/name_ranges.hpp"

namespace vgsim::vsphere::import {

/// Joins equal sentences about several VMs.
class SentencesOfVms {
 public:
  void add(const std::string& name, const std::string& what) {
    const auto [known, is_new] = index_.try_emplace(what, list_.size());
    if (is_new) list_.push_back({what, {}});
    list_[known->second].second.push_back(name);
  }

  void tell(std::vector<std::string>& sentences) const {
    for (const auto& [what, names] : list_) {
      sentences.push_back(input::and_more(names) + ": " + what);
    }
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> list_;
  std::map<std::string, std::size_t> index_;
};

struct VmSentences {
  SentencesOfVms assumed;
  SentencesOfVms skipped;
};

}  // namespace vgsim::vsphere::import
