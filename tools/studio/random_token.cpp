#include "tools/studio/random_token.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

namespace vgsim::studio {

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getentropy(bytes.data(), bytes.size()) != 0) {
    throw std::runtime_error("no random bytes from the system");
  }
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

}  // namespace vgsim::studio
