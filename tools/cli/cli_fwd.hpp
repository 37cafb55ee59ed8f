#pragma once

/// Of CLI11, which takes seconds to compile: for headers that add a command to an application.
namespace CLI {
class App;
}  // namespace CLI
