#include <utility>

#include "topology/input/shapes/shape.hpp"

namespace vgsim::input {

Field::Field(std::string name, Shape shape) : name_(std::move(name)), shape_(std::move(shape)) {}

Field Field::required() const {
  Field changed = *this;
  changed.required_ = true;
  return changed;
}

Field Field::optional() const {
  Field changed = *this;
  changed.required_ = false;
  return changed;
}

Field Field::describe(std::string text) const {
  Field changed = *this;
  changed.description_ = std::move(text);
  return changed;
}

Field Field::default_text(std::string text) const {
  Field changed = *this;
  changed.default_ = std::move(text);
  return changed;
}

Field Field::examples(std::vector<std::string> texts) const {
  Field changed = *this;
  changed.examples_ = std::move(texts);
  return changed;
}

Field Field::aliases(std::vector<std::string> names) const {
  Field changed = *this;
  changed.aliases_ = std::move(names);
  return changed;
}

}  // namespace vgsim::input
