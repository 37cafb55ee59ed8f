#pragma once

#include <memory>
#include <string>
#include <vector>

// The name under which a library exports `function`. cuda.h defines many names as macros for
// versioned ones (cuMemAlloc is cuMemAlloc_v2), so the argument is expanded before it becomes text.
#define VGSIM_EXPORTED_NAME(function) #function

/// `function`, which a header declares, out of a SharedLibrary.
#define VGSIM_SYMBOL(library, function) \
  reinterpret_cast<decltype(&function)>((library).symbol(VGSIM_EXPORTED_NAME(function)))

/// The same as the member `name` of a struct that begins with the SharedLibrary `library`.
#define VGSIM_FUNCTION(name, function) decltype(&function) name = VGSIM_SYMBOL(library, function)

namespace vgsim::probe::cuda {

/// A library that is loaded while the program runs.
class SharedLibrary {
 public:
  /// The first of `names` that loads: as the system finds it, else from the toolkit's folders.
  /// Throws DeviceError.
  explicit SharedLibrary(std::vector<std::string> names);

  /// Throws DeviceError where the library lacks it.
  [[nodiscard]] void* symbol(const char* name) const;

 private:
  struct Close {
    void operator()(void* library) const;
  };

  std::string name_;
  std::unique_ptr<void, Close> library_;
};

}  // namespace vgsim::probe::cuda
