#include "tools/files/digest.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <new>

namespace vgsim::files {
namespace {

std::string hexadecimal(XXH64_hash_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace

struct Digest::State {
  State() : xxh(XXH3_createState()) {
    if (xxh == nullptr || XXH3_64bits_reset(xxh) != XXH_OK) throw std::bad_alloc();
  }
  ~State() { XXH3_freeState(xxh); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  XXH3_state_t* xxh;
};

Digest::Digest() : state_(std::make_unique<State>()) {}
Digest::~Digest() = default;
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;

void Digest::add(std::string_view bytes) {
  XXH3_64bits_update(state_->xxh, bytes.data(), bytes.size());
}

void Digest::add_part(std::string_view text) {
  add(fmt::format("{}:", text.size()));
  add(text);
}

std::string Digest::text() const { return hexadecimal(XXH3_64bits_digest(state_->xxh)); }

std::string digest_of(std::string_view bytes) {
  return hexadecimal(XXH3_64bits(bytes.data(), bytes.size()));
}

}  // namespace vgsim::files
