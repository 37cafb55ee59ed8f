#pragma once

#include <memory>
#include <string>
#include <vector>

// The name of the exported symbol of `function`. cuda.h defines many names as macros of
// versioned ones (cuMemAlloc is cuMemAlloc_v2), so the argument is expanded before
// stringification.
#define VGSIM_EXPORTED_NAME(function) #function

/// The declared `function`, from a SharedLibrary.
#define VGSIM_SYMBOL(library, function) \
  reinterpret_cast<decltype(&function)>((library).symbol(VGSIM_EXPORTED_NAME(function)))

/// The same as the member `name` of a struct whose first member is the SharedLibrary `library`.
#define VGSIM_FUNCTION(name, function) decltype(&function) name = VGSIM_SYMBOL(library, function)

namespace vgsim::probe::cuda {

/// A library that is loaded at run time.
class SharedLibrary {
 public:
  /// The first of `names` that loads: by the system's search, else from the toolkit's
  /// folders. Throws DeviceError.
  explicit SharedLibrary(std::vector<std::string> names);

  /// Throws DeviceError if the library does not have it.
  [[nodiscard]] void* symbol(const char* name) const;

 private:
  struct Close {
    void operator()(void* library) const;
  };

  std::string name_;
  std::unique_ptr<void, Close> library_;
};

}  // namespace vgsim::probe::cuda
