#include "tools/studio/open_scenarios.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/scenarios.hpp"
#include "tests/support/scratch.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim::studio {
namespace open_scenarios_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
namespace fs = std::filesystem;

class OpenScenariosTest : public ::testing::Test {
 protected:
  OpenScenariosTest() {
    std::string name = (fs::temp_directory_path() / "vgsim-sessions-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
  }
  ~OpenScenariosTest() override { fs::remove_all(root_); }

  [[nodiscard]] SessionFolder folder() const { return SessionFolder((root_ / "state").string()); }

  static OpenScenario scenario(const std::string& name) {
    const nlohmann::json json{
        {"name", name},
        {"hosts", {{"h1", {{"server", "generic-1gpu"}}}}},
        {"job", {{"network", "resnet-50"}, {"batch_per_gpu", 8}, {"samples_per_epoch", 1000}}}};
    const scenario::Document document(*input::read_json(input::make_source("s", json.dump())));
    Opening origin{name, document, {}};
    OpenScenario open{*Studio::open(document, test::library(), loader_of({})), origin, {}, {}};
    open.saved_text = text_of(open);
    return open;
  }

  static void change(OpenScenarios& open, int batch) {
    Change change;
    change.set.push_back(scenario::set_number("/job/batch_per_gpu", batch));
    ASSERT_EQ(open.studio().change(change).done, Done::kAnswered);
    open.save();
  }

  fs::path root_;
};

TEST_F(OpenScenariosTest, AreSavedOnceTheyDiffer) {
  OpenScenarios open(scenario("first"), folder());
  open.save();
  EXPECT_FALSE(open.file()) << "nothing was changed";
  EXPECT_FALSE(fs::exists(root_ / "state"));
  change(open, 16);
  ASSERT_TRUE(open.file());
  EXPECT_THAT(test::read_file(*open.file()), HasSubstr("\"batch_per_gpu\": 16"));
  EXPECT_EQ(fs::status(root_ / "state").permissions(), fs::perms::owner_all);
}

TEST_F(OpenScenariosTest, KeepTheFileOfTheOneBefore) {
  OpenScenario first = scenario("first");
  first.file = (root_ / "mine.json").string();
  OpenScenarios open(std::move(first), folder());
  change(open, 16);
  const std::string mine = test::read_file(*open.file());
  open.open(scenario("second"));
  open.save();
  change(open, 32);
  EXPECT_EQ(test::read_file((root_ / "mine.json").string()), mine);
  EXPECT_THAT(*open.file(), HasSubstr("state/second.json"));
  ASSERT_TRUE(open.can_go_back());
  open.go_back();
  EXPECT_EQ(*open.file(), (root_ / "mine.json").string());
  EXPECT_EQ(open.studio().step_count(), 1U) << "with its steps";
  open.studio().run();
  open.save();
  EXPECT_EQ(test::read_file((root_ / "mine.json").string()), mine);
  ASSERT_TRUE(open.can_go_on());
  open.go_on();
  EXPECT_THAT(*open.file(), HasSubstr("state/second.json"));
}

TEST_F(OpenScenariosTest, ReportWhatIsNotOnDisk) {
  OpenScenarios without(scenario("first"), {});
  change(without, 16);
  EXPECT_THAT(without.error(), HasSubstr("no folder"));
  change(without, 8);
  EXPECT_THAT(without.error(), IsEmpty()) << "as it was read: nothing is lost";
}

TEST_F(OpenScenariosTest, HaveFilesOfTheirOwnUnderOneName) {
  for (int n = 0; n < 2; ++n) {
    OpenScenarios open(scenario("../a b"), folder());
    change(open, 16);
  }
  std::vector<std::string> files;
  for (const SavedSession& each : folder().latest(9)) files.push_back(each.file);
  std::ranges::sort(files);
  EXPECT_THAT(files, ElementsAre("a-b-2.json", "a-b.json"));
  EXPECT_TRUE(folder().path_of("a-b.json"));
  EXPECT_FALSE(folder().path_of("../mine.json"));
  EXPECT_FALSE(folder().path_of("a-b-3.json"));
}

TEST_F(OpenScenariosTest, KeepAnAddressThatOthersCannotRead) {
  const LastAddress address{4711, "0123456789abcdef0123456789abcdef"};
  folder().keep_address(address);
  ASSERT_TRUE(folder().last_address());
  EXPECT_EQ(folder().last_address()->port, 4711);
  EXPECT_EQ(folder().last_address()->token, address.token);
  fs::permissions(root_ / "state", fs::perms::others_read, fs::perm_options::add);
  EXPECT_FALSE(folder().last_address());
}

TEST(StudioFileText, HoldsTheFilesThatAScenarioNames) {
  const nlohmann::json json{{"name", "n"}, {"hosts", {{"h1", {{"topology", "dumps/h.json"}}}}}};
  const scenario::Document document(*input::read_json(input::make_source("s", json.dump())));
  const std::string text = file_text(document, {{"dumps/h.json", "{}"}});
  const auto read = input::read_json(input::make_source("t", text));
  const auto again = opening_of(scenario::Document(*read), "t");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->document.canonical(), document.canonical());
  EXPECT_EQ(again->files.at("dumps/h.json"), "{}");
  EXPECT_THAT(file_text(document, {}), Not(HasSubstr("manifest")));
}

}  // namespace open_scenarios_test
}  // namespace vgsim::studio
