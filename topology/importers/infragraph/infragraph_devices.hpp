#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "topology/importers/infragraph/infragraph_model.hpp"
#include "topology/importers/infragraph/infragraph_words.hpp"

namespace vgsim::topology::infragraph {

/// How deep devices may be nested in each other.
inline constexpr std::size_t kMaxNesting = 8;

/// What a device and those that it is composed of consist of.
struct Contents {
  bool gpu = false;
  bool cpu = false;
  bool nic = false;  ///< or ports

  void add(const Contents& other) {
    gpu = gpu || other.gpu;
    cpu = cpu || other.cpu;
    nic = nic || other.nic;
  }
};

/// The devices of a document, which must outlive it, by name.
class DeviceIndex {
 public:
  explicit DeviceIndex(const Document& document);

  /// nullptr if there is none.
  [[nodiscard]] const Device* find(const std::string& name) const;
  [[nodiscard]] const Contents& contents(const Device& device) const {
    return contents_.at(&device);
  }
  /// What a device is that is described by itself and still is one component of a host: a network
  /// card, with ports and perhaps a processor, or a transceiver. Nothing if it is to be opened.
  [[nodiscard]] std::optional<Role> role_as_part(const Device& device,
                                                 const Component& component) const;

 private:
  std::map<std::string, const Device*> devices_;
  std::map<const Device*, Contents> contents_;
  std::map<const Device*, std::vector<const Device*>> inner_;
};

}  // namespace vgsim::topology::infragraph
