#include "models/questions/read/expectations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/questions/check/change_words.hpp"
#include "models/questions/read/figure_expectation.hpp"
#include "topology/input/error_codes.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/input/suggest.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using input::find;
using input::Kind;
using input::Member;
using input::Value;

std::string joined(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether it is an object with only these keys.
bool has_only(const Value& value, const std::vector<std::string>& keys) {
  return value.is_object() && !value.members().empty() &&
         std::all_of(value.members().begin(), value.members().end(),
                     [&keys](const Member& member) { return contains(keys, member.name); });
}

/// The figure for comparing two layouts: samples/s, or the time of the largest common size. Nothing
/// if there is none.
const Metric* compared_by(const LayoutFigures& first, const LayoutFigures& second) {
  const Metric* last = nullptr;
  for (const Metric& metric : first.metrics) {
    const bool fits = metric.name == "samples_per_s" || metric.name.starts_with("time_s@");
    if (fits && find_metric(second, metric.name) != nullptr) last = &metric;
  }
  return last;
}

class ExpectationJudge {
 public:
  ExpectationJudge(const std::vector<LayoutFigures>& layouts,
                   const std::vector<std::string>& left_out, const std::vector<std::string>& rules,
                   Diagnostics& diagnostics)
      : layouts_(layouts), left_out_(left_out), rules_(rules), diagnostics_(diagnostics) {
    for (const LayoutFigures& layout : layouts) {
      names_.push_back(layout.name);
      for (const Metric& metric : layout.metrics) {
        if (!contains(figures_, metric.name)) figures_.push_back(metric.name);
      }
    }
  }

  Judged judge(const Value& expect) {
    for (const Member& entry : expect.members()) check_name(entry);
    for (const LayoutFigures& layout : layouts_) judge_layout(expect, layout);
    return std::move(judged_);
  }

 private:
  /// Whether a pattern entry matches this layout.
  [[nodiscard]] bool covers(const Member& entry, const LayoutFigures& layout) const {
    return !contains(names_, entry.name) && input::matches_pattern(layout.name, entry.name);
  }

  void check_name(const Member& entry) {
    const bool concerns_one =
        contains(names_, entry.name) || contains(left_out_, entry.name) ||
        std::any_of(layouts_.begin(), layouts_.end(),
                    [&](const LayoutFigures& layout) { return covers(entry, layout); }) ||
        std::any_of(left_out_.begin(), left_out_.end(), [&](const std::string& name) {
          return input::matches_pattern(name, entry.name);
        });
    if (concerns_one) return;
    diagnostics_.error(input::codes::kUnknownKey.code, entry.key, entry.value.pointer(),
                       fmt::format("no layout \"{}\"", entry.name),
                       input::one_of(entry.name, names_), input::suggest(entry.name, names_));
  }

  void judge_layout(const Value& expect, const LayoutFigures& layout) {
    const Member* own = expect.member(layout.name);
    const auto refusal = own == nullptr ? std::nullopt : find(own->value, "refused");
    const bool to_be_refused =
        refusal && refusal->kind() == Kind::boolean && input::as_bool(*refusal);
    for (const Member& entry : expect.members()) {
      if (&entry != own && !covers(entry, layout)) continue;
      for (const Member& what : entry.value.members()) {
        const bool own_goes_before = &entry != own && own != nullptr && find(own->value, what.name);
        const bool has_none = &entry != own && to_be_refused && what.value.is_object();
        if (!own_goes_before && !has_none) judge_one(what, layout);
      }
    }
  }

  void judge_one(const Member& what, const LayoutFigures& layout) {
    ++judged_.expectations;
    if (what.name == "refused") return judge_refused(what, layout);
    if (what.name == "refused_by") return judge_rules(what, layout, layout.refused_by, true);
    if (what.name == "warns") return judge_rules(what, layout, layout.rules, true);
    if (what.name == "does_not_warn") return judge_rules(what, layout, layout.rules, false);
    if (what.name == "faster_than") return judge_faster(what, layout);
    if (what.name == "bottleneck") return judge_bottleneck(what, layout);
    judge_metric(what, layout);
  }

  bool is_kind(const Member& what, bool fits, const char* expected) {
    if (fits) return true;
    diagnostics_.error(input::codes::kWrongKind.code, what.value.location(), what.value.pointer(),
                       fmt::format("{} does not accept this expectation", what.name), expected);
    return false;
  }

  void judge_refused(const Member& what, const LayoutFigures& layout) {
    if (!is_kind(what, what.value.kind() == Kind::boolean, "true or false")) return;
    const bool expected = input::as_bool(what.value);
    if (expected == layout.refused) return;
    const std::string why =
        layout.refused ? fmt::format("true, by {}", joined(layout.refused_by)) : "false";
    add(what.name, what.value, layout, expected ? "true" : "false", why);
  }

  void judge_rules(const Member& what, const LayoutFigures& layout,
                   const std::vector<std::string>& applying, bool should_apply) {
    if (!is_kind(what, what.value.is_array(), "a list of rules such as [\"nic-other-root\"]")) {
      return;
    }
    for (const Value& rule : what.value.elements()) {
      if (!contains(rules_, rule.string())) {
        diagnostics_.error(input::codes::kUnknownWord.code, rule.location(), rule.pointer(),
                           fmt::format("no rule \"{}\"", rule.string()),
                           "a rule that vgsim explain lists",
                           input::suggest(rule.string(), rules_));
      } else if (contains(applying, rule.string()) != should_apply) {
        add(what.name, rule, layout, (should_apply ? "" : "no ") + rule.string(),
            should_apply ? joined(applying) : rule.string());
      }
    }
  }

  void judge_bottleneck(const Member& what, const LayoutFigures& layout) {
    const bool fits = has_only(what.value, {"is", "is_not"});
    if (!is_kind(what, fits, "{\"is\": \"nic\"} or {\"is_not\": \"nic\"}")) return;
    if (layout.refused) return add_refused(what, layout, "a bottleneck");
    const auto word = [](const Value& value) {
      return value.string() == "turns" ? std::string("time slices") : value.string();
    };
    const auto is = find(what.value, "is");
    const auto is_not = find(what.value, "is_not");
    if (is && word(*is) != layout.bottleneck) {
      add(what.name, *is, layout, is->string(), layout.bottleneck);
    }
    if (is_not && word(*is_not) == layout.bottleneck) {
      add(what.name, *is_not, layout, fmt::format("not {}", is_not->string()), layout.bottleneck);
    }
  }

  void judge_faster(const Member& what, const LayoutFigures& layout) {
    const bool fits = what.value.is_string() || what.value.is_array();
    if (!is_kind(what, fits, "a layout or a list of layouts")) return;
    if (what.value.is_string()) return judge_faster_than(what.value, layout);
    for (const Value& other : what.value.elements()) judge_faster_than(other, layout);
  }

  void judge_faster_than(const Value& named, const LayoutFigures& layout) {
    if (contains(left_out_, named.string())) return;
    const auto other = std::find(names_.begin(), names_.end(), named.string());
    if (other == names_.end() || *other == layout.name) {
      diagnostics_.error(input::codes::kUnknownWord.code, named.location(), named.pointer(),
                         fmt::format("no other layout \"{}\"", named.string()),
                         input::one_of(named.string(), names_),
                         input::suggest(named.string(), names_));
      return;
    }
    const LayoutFigures& than = layouts_[static_cast<std::size_t>(other - names_.begin())];
    const Metric* mine = compared_by(layout, than);
    if (mine == nullptr) {
      const LayoutFigures& without = layout.metrics.empty() ? layout : than;
      return add("faster_than", named, layout, fmt::format("faster than {}", than.name),
                 fmt::format("no figure to compare: {} {}", without.name,
                             without.refused ? "is refused" : "has none"));
    }
    const double theirs = find_metric(than, mine->name)->value;
    const bool is_faster =
        mine->better == Better::kLower ? mine->value < theirs : mine->value > theirs;
    if (is_faster) return;
    const auto words = both_in_words(theirs, mine->value, mine->unit);
    add("faster_than", named, layout,
        fmt::format("faster than {} ({} {})", than.name, mine->name, words.first),
        mine->value == theirs ? words.first : words.second,
        mine->value == theirs ? "the same" : change_in_words(theirs, mine->value, mine->unit));
  }

  void judge_metric(const Member& what, const LayoutFigures& layout) {
    if (!figures_.empty() && !contains(figures_, what.name)) {
      std::vector<std::string> known = figures_;
      known.insert(known.end(), {"bottleneck", "refused", "refused_by", "warns", "does_not_warn",
                                 "faster_than"});
      diagnostics_.error(input::codes::kUnknownKey.code, what.key, what.value.pointer(),
                         fmt::format("no layout has a figure \"{}\"", what.name),
                         input::one_of(what.name, known), input::suggest(what.name, known));
      return;
    }
    const bool fits = has_only(what.value, {"value", "tolerance", "min", "max"});
    if (!is_kind(what, fits, "{\"value\": ...}, {\"min\": ...} or {\"max\": ...}")) return;
    if (layout.refused) return add_refused(what, layout, "a figure");
    const Metric* metric = find_metric(layout, what.name);
    if (metric == nullptr) return add(what.name, what.value, layout, "a figure", "missing");
    for (Finding& finding : judge_figure(what.value, *metric, diagnostics_)) {
      finding.layout = layout.name;
      judged_.findings.push_back(std::move(finding));
    }
  }

  void add_refused(const Member& what, const LayoutFigures& layout, const char* expected) {
    add(what.name, what.value, layout, expected,
        fmt::format("refused by {}", joined(layout.refused_by)));
  }

  void add(const std::string& figure, const Value& at, const LayoutFigures& layout,
           std::string expected, std::string found, std::string words = {}) {
    judged_.findings.push_back({FindingKind::kExpectation, layout.name, figure, std::move(expected),
                                std::move(found), std::move(words), 0.0, at.location(),
                                at.pointer()});
  }

  const std::vector<LayoutFigures>& layouts_;
  const std::vector<std::string>& left_out_;
  const std::vector<std::string>& rules_;
  Diagnostics& diagnostics_;
  std::vector<std::string> names_;    ///< names of layouts
  std::vector<std::string> figures_;  ///< figures of any layout
  Judged judged_;
};

}  // namespace

Judged judge_expectations(const Document& document, const std::vector<LayoutFigures>& layouts,
                          const std::vector<std::string>& left_out,
                          const std::vector<std::string>& rules, Diagnostics& diagnostics) {
  const auto expect = find(document.value(), "expect");
  if (!expect) return {};
  return ExpectationJudge(layouts, left_out, rules, diagnostics).judge(*expect);
}

}  // namespace vgsim::scenario
