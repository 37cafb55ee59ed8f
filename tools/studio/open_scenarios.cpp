#include "tools/studio/open_scenarios.hpp"

#include <fmt/format.h>

#include <utility>

#include "tools/files/atomic_file.hpp"

namespace vgsim::studio {
namespace {

/// Earlier ones are closed; they are on disk.
constexpr std::size_t kMostOpen = 4;

/// Results take memory, and are computed again when they are asked for.
OpenScenario put_aside(OpenScenario& scenario) {
  scenario.studio.forget_answer();
  return std::move(scenario);
}

}  // namespace

std::string text_of(const OpenScenario& scenario) {
  return file_text(scenario.studio.document(), scenario.origin.files);
}

void OpenScenarios::open(OpenScenario next) {
  before_.push_back(put_aside(now_));
  if (before_.size() > kMostOpen) before_.erase(before_.begin());
  after_.clear();
  now_ = std::move(next);
}

void OpenScenarios::go_back() {
  after_.push_back(put_aside(now_));
  now_ = std::move(before_.back());
  before_.pop_back();
}

void OpenScenarios::go_on() {
  before_.push_back(put_aside(now_));
  now_ = std::move(after_.back());
  after_.pop_back();
}

void OpenScenarios::save() {
  const std::string text = text_of(now_);
  if (text == now_.saved_text) {
    error_.clear();
    return;
  }
  try {
    if (!now_.file && !folder_.is_there()) {
      throw files::FileError("no folder for sessions: neither $XDG_STATE_HOME nor $HOME is set");
    }
    if (!now_.file) now_.file = folder_.new_file(now_.origin.name);
    files::AtomicFile file(*now_.file);
    file.write(text);
    file.finish();
    now_.saved_text = text;
    error_.clear();
  } catch (const files::FileError& error) {
    if (error_ != error.what()) fmt::print(stderr, "vgsim: {}\n", error.what());
    error_ = error.what();
  }
}

}  // namespace vgsim::studio
