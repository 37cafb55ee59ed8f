#include "tools/studio/random_token.hpp"

#include <fmt/format.h>
#include <sys/random.h>
#include <sys/types.h>

#include <array>
#include <cerrno>
#include <stdexcept>

namespace vgsim::studio {

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  for (std::size_t got = 0; got < bytes.size();) {
    const ssize_t more = ::getrandom(bytes.data() + got, bytes.size() - got, 0);
    if (more < 0 && errno != EINTR) throw std::runtime_error("no random bytes from the system");
    if (more > 0) got += static_cast<std::size_t>(more);
  }
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

}  // namespace vgsim::studio
