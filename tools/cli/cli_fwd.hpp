#pragma once

/// Of CLI11, which takes seconds to compile: for headers that add a command to an application.
namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI
