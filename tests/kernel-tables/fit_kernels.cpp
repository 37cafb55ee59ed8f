#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/kernels/quantization.hpp"
#include "models/scoring/errors.hpp"
#include "models/scoring/kinds/kernel_prediction.hpp"
#include "models/scoring/kinds/kernel_tables.hpp"
#include "tools/cli/config_files.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim {
namespace {

using calibration::Parameters;
using calibration::Uncertain;
using scoring::MeasuredKernel;

using Values = std::map<std::string, double>;

/// Fitted to attention; all other constants of kernels are to products.
bool is_of_attention(const std::string& name) {
  return name.find("attention") != std::string::npos;
}

/// Of what a constant decides nothing else is compared.
constexpr std::array kWords = {"product_",   "in_turn_",   "overlapped_",
                               "_quantize_", "attention_", "sustained_share"};

std::vector<std::string> fitted_names() {
  // Set by hand, since nothing measured decides them: what other GPUs have.
  const std::set<std::string> of_others = {"attention_start", "attention_share",
                                           "sustained_share_at_a_watt", "sustained_share_power"};
  std::vector<std::string> names;
  for (const auto& [name, unit] : calibration::declared_parameters()) {
    const bool fits = std::any_of(kWords.begin(), kWords.end(), [&](const char* word) {
      return name.find(word) != std::string::npos;
    });
    const bool of_training = name.ends_with("_product_share");
    if (fits && !of_training && !of_others.contains(name)) names.push_back(name);
  }
  return names;
}

Parameters with(const Parameters& parameters, const Values& values) {
  std::map<std::string, Uncertain> others;
  for (const auto& [name, value] : values) others[name] = {value, value, value};
  return parameters.with(others, "fitted");
}

/// The mean of the logarithms' distances; one that is far off counts no more than this.
constexpr double kFar = 0.3;
/// Products with fewer rows than training has count for so much.
constexpr double kShortWeight = 0.3;

double loss(const std::vector<MeasuredKernel>& kernels, const topology::Catalog& catalog,
            const Parameters& parameters) {
  double sum = 0;
  double weights = 0;
  std::map<std::pair<std::string, std::string>, std::optional<kernels::KernelGpu>> gpus;
  std::map<std::string, kernels::AttentionConstants> attentions;
  const auto constants = kernels::product_constants(parameters);
  for (const MeasuredKernel& kernel : kernels) {
    const std::string precision = kernel.type == "bf16" ? "fp16" : kernel.type;
    auto [found, is_new] = gpus.try_emplace({kernel.gpu, precision});
    if (is_new) {
      found->second = kernels::kernel_gpu(catalog.gpus.at(kernel.gpu), precision, parameters);
    }
    if (!found->second) continue;
    const kernels::KernelGpu& gpu = *found->second;
    double seconds = 0;
    double weight = 1;
    if (const auto* product = std::get_if<kernels::MatrixProduct>(&kernel.work)) {
      seconds = kernels::seconds_of(*product, gpu, constants);
      if (kernel.type == "fp8") {
        seconds += kernels::seconds_of(kernels::quantization_on(gpu, parameters), *product, gpu,
                                       constants);
      }
      if (product->m < scoring::kRowsOfTraining) weight = kShortWeight;
    } else {
      auto [own, fresh] = attentions.try_emplace(kernel.gpu);
      if (fresh) own->second = kernels::attention_constants(gpu, parameters);
      seconds = kernels::seconds_of(std::get<kernels::Attention>(kernel.work), gpu, own->second);
    }
    sum += weight * std::min(std::abs(std::log(seconds / kernel.seconds)), kFar);
    weights += weight;
  }
  return sum / weights;
}

/// What is nothing stays small, but may grow.
constexpr double kLeast = 1e-6;

/// Smallest gain that changes a constant: a fit that begins at its own result stays there.
constexpr double kWorthIt = 3e-5;

/// Goes up and down with each constant, and with pairs of them, in steps that become smaller, for
/// as long as that helps.
Values fit(const std::vector<MeasuredKernel>& kernels, const topology::Catalog& catalog,
           const std::vector<std::string>& names, const Parameters& start) {
  Values values;
  for (const std::string& name : names) {
    values[name] = std::max(start.at(name).quantity.value, kLeast);
  }
  double best = loss(kernels, catalog, with(start, values));
  const auto take = [&](Values changed) {
    for (auto& [name, value] : changed) {
      const bool share = name.ends_with("share") || name.ends_with("rounds") ||
                         name.ends_with("exponentials") || name.ends_with("weight");
      if (share) value = std::min(value, 1.0);
    }
    const double now = loss(kernels, catalog, with(start, changed));
    if (now > best - kWorthIt) return false;
    best = now;
    values = std::move(changed);
    return true;
  };
  for (int round = 0; round < 20; ++round) {
    const double before = best;
    for (const double step : {1.5, 1.2, 1.07, 1.025, 1.01}) {
      for (std::size_t i = 0; i < names.size(); ++i) {
        for (const double factor : {step, 1 / step}) {
          Values changed = values;
          changed[names[i]] *= factor;
          if (take(changed)) continue;
          const std::string& other =
              names[(i * 7 + static_cast<std::size_t>(round) + 1) % names.size()];
          for (const double second : {step, 1 / step}) {
            Values both = changed;
            both[other] *= second;
            take(both);
          }
        }
      }
    }
    if (before == best) break;
  }
  return values;
}

/// The line through the logarithms of what power allows, by the logarithms of the power that there
/// is for each operation: its value at a watt for 10^12 of them, and its slope.
std::pair<double, double> line_of_power(const std::set<std::string>& gpus,
                                        const topology::Catalog& catalog, const Values& values) {
  double n = 0;
  double x_sum = 0;
  double y_sum = 0;
  double xx_sum = 0;
  double xy_sum = 0;
  std::set<std::string> seen;
  for (const std::string& name : gpus) {
    const topology::GpuModel& gpu = catalog.gpus.at(name);
    if (!seen.insert(kernels::kernel_architecture(gpu)).second) continue;
    const double watts =
        gpu.tdp_watts->value * 1e12 / static_cast<double>(gpu.peak.at("fp16").value.count());
    const double share =
        std::min(values.at(kernels::kernel_architecture(gpu) + "_fp16_sustained_share"),
                 values.at("product_math_share"));
    const double x = std::log(watts);
    const double y = std::log(share);
    n += 1;
    x_sum += x;
    y_sum += y;
    xx_sum += x * x;
    xy_sum += x * y;
  }
  const double slope = (n * xy_sum - x_sum * y_sum) / (n * xx_sum - x_sum * x_sum);
  return {std::exp((y_sum - slope * x_sum) / n), slope};
}

/// The mean over all architectures.
double mean_of(const Values& values, const std::string& ending, const std::string& but) {
  double sum = 0;
  double count = 0;
  for (const auto& [name, value] : values) {
    if (!name.ends_with(ending) || name == but + ending) continue;
    sum += value;
    count += 1;
  }
  return sum / count;
}

/// The constants that only GPUs of that architecture have, but those of software for fp8.
std::vector<std::string> own_of(const std::string& architecture) {
  std::vector<std::string> names;
  for (const char* what :
       {"_fp16_sustained_share", "_fp8_sustained_share", "_attention_start", "_attention_share"}) {
    const std::string name = architecture + what;
    if (calibration::declared_parameters().contains(name)) names.push_back(name);
  }
  return names;
}

class Tables {
 public:
  Tables(const scenario::Library& library, std::vector<MeasuredKernel> kernels)
      : library_(library), kernels_(std::move(kernels)) {
    for (const MeasuredKernel& kernel : kernels_) gpus_.insert(kernel.gpu);
    names_ = fitted_names();
    const bool attention = std::holds_alternative<kernels::Attention>(kernels_.front().work);
    std::erase_if(names_, [&](const auto& name) { return is_of_attention(name) != attention; });
  }

  void print() const {
    Values values = fit(kernels_, *library_.catalog, names_, library_.parameters);
    std::map<std::string, std::vector<double>> spread;
    std::map<std::string, Values> left_out;  // by architecture
    for (const std::string& gpu : gpus_) {
      const std::string architecture = architecture_of(gpu);
      if (!left_out.contains(architecture)) {
        left_out[architecture] = fitted_without(architecture, values);
      }
      for (const auto& [name, value] : without(gpu, values, left_out[architecture])) {
        spread[name].push_back(value);
      }
    }
    add_averages(values, gpus_, "");
    for (const auto& [name, value] : values) {
      const auto& others = spread[name];
      fmt::print("{} {:.4g} {:.4g} {:.4g}\n", name, value,
                 std::min(value, *std::min_element(others.begin(), others.end())),
                 std::max(value, *std::max_element(others.begin(), others.end())));
    }
  }

 private:
  /// The same fitted without the GPUs of an architecture.
  Values fitted_without(const std::string& architecture, const Values& values) const {
    std::vector<MeasuredKernel> others;
    for (const MeasuredKernel& k : kernels_) {
      if (architecture_of(k.gpu) != architecture) others.push_back(k);
    }
    std::vector<std::string> names = names_;
    std::erase_if(names, [&](const auto& name) {
      return name.starts_with(architecture) || name.starts_with("grace_" + architecture);
    });
    return fit(others, *library_.catalog, names, with(library_.parameters, values));
  }

  /// All values with those that were fitted without the GPU's architecture (`left`); prints their
  /// errors on the GPU, as on one without measurements.
  Values without(const std::string& gpu, const Values& values, const Values& left) const {
    const std::string architecture = architecture_of(gpu);
    std::vector<MeasuredKernel> own;
    for (const MeasuredKernel& k : kernels_) {
      if (k.gpu == gpu) own.push_back(k);
    }
    std::set<std::string> seen = gpus_;
    std::erase_if(seen, [&](const auto& other) { return architecture_of(other) == architecture; });
    Values known = values;
    for (const auto& [name, value] : left) known[name] = value;
    add_averages(known, seen, architecture);
    Values unseen = known;
    const topology::GpuModel& model = library_.catalog->gpus.at(gpu);
    for (const std::string& name : own_of(architecture)) {
      if (!name.ends_with("sustained_share")) {
        if (known.contains(name)) unseen[name] = known.at(name.substr(architecture.size() + 1));
        continue;
      }
      if (!known.contains("sustained_share_power")) continue;
      const double watts =
          model.tdp_watts->value * 1e12 / static_cast<double>(model.peak.at("fp16").value.count());
      unseen[name] = std::min(known.at("product_math_share"),
                              known.at("sustained_share_at_a_watt") *
                                  std::pow(watts, known.at("sustained_share_power")));
    }
    print_errors(own, with(library_.parameters, unseen));
    return known;
  }

  std::string architecture_of(const std::string& gpu) const {
    return kernels::kernel_architecture(library_.catalog->gpus.at(gpu));
  }

  /// Of a GPU that was left out.
  void print_errors(const std::vector<MeasuredKernel>& own, const Parameters& parameters) const {
    scenario::Library library = library_;
    library.parameters = parameters;
    for (const scoring::Case& each : scoring::kernel_cases(own)) {
      const scoring::ScoredCase scored{each.head, each.predict({library, {}}).value()};
      const auto error =
          scoring::summarize({&scored}, scoring::kAll, scoring::Weighting::kRankedPoints);
      std::string name = each.head.id;
      std::replace(name.begin(), name.end(), '/', ' ');
      fmt::print("left out: {}: median {:.1f} %, 90th percentile {:.1f} %\n", name,
                 100 * error.median, 100 * error.p90);
    }
  }

  /// The constants of GPUs of other architectures.
  void add_averages(Values& values, const std::set<std::string>& gpus,
                    const std::string& but) const {
    if (values.contains("product_math_share")) {
      const auto [at_a_watt, power] = line_of_power(gpus, *library_.catalog, values);
      values["sustained_share_at_a_watt"] = at_a_watt;
      values["sustained_share_power"] = power;
    } else {
      values["attention_start"] = mean_of(values, "_attention_start", but);
      values["attention_share"] = mean_of(values, "_attention_share", but);
    }
  }

  const scenario::Library& library_;
  std::vector<MeasuredKernel> kernels_;
  std::set<std::string> gpus_;
  std::vector<std::string> names_;
};

int run(const std::vector<std::string>& paths) {
  const auto library = cli::load_library(std::string(VGSIM_SOURCE_DIR) + "/configs");
  if (!library) {
    fmt::print(stderr, "{}\n", input::render(library.error()));
    return 2;
  }
  for (const std::string& path : paths) {
    const auto file = input::load_source(path);
    const auto table = file ? scoring::read_kernel_table(*file, *library->catalog)
                            : tl::expected<std::vector<MeasuredKernel>, input::Diagnostics>(
                                  tl::unexpected(file.error()));
    if (!table) {
      fmt::print(stderr, "{}\n", input::render(table.error()));
      return 2;
    }
    Tables(*library, *table).print();
  }
  return 0;
}

}  // namespace
}  // namespace vgsim

/// Fits the constants of kernels to tables of measured ones, and prints each with the least and the
/// most that it is where one GPU is left out; and what the model, fitted so, is wrong by on that
/// GPU.
int main(int argc, char** argv) {
  return vgsim::run(std::vector<std::string>(argv + 1, argv + argc));
}
