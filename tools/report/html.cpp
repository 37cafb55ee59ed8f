#include "tools/report/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/report/style.hpp"
#include "tools/report/text.hpp"

namespace vgsim::report {
namespace {

std::string blocks_html(const std::vector<Block>& blocks);

std::string cell_html(const Column& column, const std::string& text, bool first, Narrow narrow) {
  const char* const classes = column.number ? " class=\"n\"" : column.whole ? " class=\"w\"" : "";
  if (first) {
    return fmt::format("<th scope=\"row\"{}>{}</th>", text.starts_with(' ') ? " class=\"sub\"" : "",
                       escaped(text));
  }
  const std::string label = narrow == Narrow::kStacks
                                ? fmt::format(" data-label=\"{}\"", escaped(column.name))
                                : std::string();
  return fmt::format("<td{}{}>{}</td>", classes, label, typeset(text));
}

std::string table_html(const Table& table) {
  std::string head;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Column& column = table.columns[c];
    head += fmt::format("<th scope=\"col\"{}>{}</th>", column.number && c > 0 ? " class=\"n\"" : "",
                        escaped(column.name));
  }
  const bool nameless = std::all_of(table.columns.begin(), table.columns.end(),
                                    [](const Column& column) { return column.name.empty(); });
  if (!nameless) head = fmt::format("<thead><tr>{}</tr></thead>", head);
  std::string body;
  for (const auto& row : table.rows) {
    body += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      body += cell_html(table.columns[c], row[c], c == 0, table.narrow);
    }
    body += "</tr>\n";
  }
  if (table.narrow == Narrow::kStacks) {
    return fmt::format("<table class=\"stacks\">{}<tbody>{}</tbody></table>\n",
                       nameless ? "" : head, body);
  }
  return fmt::format(
      "<div class=\"scrolls\" tabindex=\"0\" role=\"region\" aria-label=\"table\"><table>{}"
      "<tbody>{}</tbody></table></div>\n",
      nameless ? "" : head, body);
}

std::string keys_html(const std::vector<Key>& keys, bool on_narrow) {
  std::string items;
  for (const Key& key : keys) {
    items += fmt::format(
        "<li><svg class=\"key\" viewBox=\"0 0 12 12\" aria-hidden=\"true\"><rect width=\"12\" "
        "height=\"12\" rx=\"2\" class=\"{}\"/></svg>{}</li>",
        key.look, escaped(key.word));
  }
  if (items.empty()) return items;
  return fmt::format("<ul class=\"keys{}\">{}</ul>", on_narrow ? " on-narrow" : "", items);
}

std::string finding_html(const FindingNote& note) {
  const auto small = [](const char* what, const std::string& text) {
    return text.empty() ? text : fmt::format(" <span class=\"{}\">{}</span>", what, escaped(text));
  };
  const std::string remedy =
      note.remedy.empty() && note.source.empty()
          ? std::string()
          : fmt::format("<p>{}{}</p>",
                        note.remedy.empty() ? std::string() : "To do: " + typeset(note.remedy),
                        small("source", note.source));
  return fmt::format(
      "<li class=\"finding {}\"><p><span class=\"verdict\">{}</span> {} <code>{}</code>{}</p>{}"
      "</li>\n",
      escaped(note.verdict), escaped(note.verdict), typeset(note.text), escaped(note.rule),
      small("of", note.layouts), remedy);
}

struct ToHtml {
  std::string operator()(const Paragraph& paragraph) const {
    return fmt::format("<p{}>{}</p>\n", paragraph.aside ? " class=\"aside\"" : "",
                       typeset(paragraph.text));
  }
  std::string operator()(const Table& table) const { return table_html(table); }
  std::string operator()(const Figure& figure) const { return figure_html(figure); }
  std::string operator()(const Findings& findings) const {
    std::string items;
    for (const FindingNote& note : findings.notes) items += finding_html(note);
    return fmt::format("<ul class=\"findings\">{}</ul>\n", items);
  }
  std::string operator()(const List& list) const {
    std::string items;
    for (const std::string& item : list.items) items += fmt::format("<li>{}</li>", typeset(item));
    return fmt::format("<ul class=\"plain\">{}</ul>\n", items);
  }
  std::string operator()(const Listing& listing) const {
    if (listing.open) return fmt::format("<pre>{}</pre>\n", escaped(listing.text));
    return fmt::format("<details><summary>{}</summary><pre>{}</pre></details>\n",
                       escaped(listing.summary), escaped(listing.text));
  }
  std::string operator()(const Details& details) const {
    return fmt::format("<details{}><summary>{}</summary>{}</details>\n",
                       details.on_paper ? " class=\"on-paper\"" : "", escaped(details.summary),
                       blocks_html(details.blocks));
  }
};

std::string blocks_html(const std::vector<Block>& blocks) {
  std::string html;
  for (const Block& block : blocks) html += std::visit(ToHtml(), block);
  return html;
}

std::string head_html(const Page& page) {
  // Nothing may be loaded, and nothing executed but a simulator; the empty icon avoids a request
  // for one.
  const std::string policy = page.simulator
                                 ? page.simulator->policy
                                 : "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
  const std::string script =
      page.simulator ? "<script>" + page.simulator->script + "</script>\n" : std::string();
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"generator\" content=\"{}\">\n<title>{}</title>\n"
      "<link rel=\"icon\" href=\"data:,\">\n<style>{}</style>\n{}</head>\n",
      policy, escaped(page.made_by), escaped(page.title), style(), script);
}

std::string header_html(const Page& page) {
  std::string verdict;
  for (const std::string& sentence : page.verdict) {
    verdict += fmt::format("<p>{}</p>", typeset(sentence));
  }
  std::string links;
  for (const Section& section : page.sections) {
    links += fmt::format("<li><a href=\"#{}\">{}</a></li>", section.id, escaped(section.topic));
  }
  // Its script shows the link.
  const std::string simulator =
      page.simulator ? "<p class=\"simulator\"><a id=\"open-simulator\" href=\"?simulator\" "
                       "target=\"_blank\" hidden>Open the simulator</a></p>"
                     : "";
  return fmt::format(
      "<header><h1>{}</h1><p class=\"subject\">{}</p><div class=\"lead\">{}</div>"
      "<p class=\"knowledge\">{}</p>{}</header>\n<nav aria-label=\"Sections\"><ul>{}</ul></nav>\n",
      escaped(page.title), escaped(page.subject), verdict, typeset(page.knowledge), simulator,
      links);
}

/// The first sheet with verdict and first sections, then the others.
std::string body_html(const Page& page) {
  std::string sheet = header_html(page);
  std::string others;
  for (const Section& section : page.sections) {
    (section.on_first_sheet ? sheet : others) += section_html(section);
  }
  if (others.empty() || sheet.empty()) return sheet + others;
  return fmt::format("<div class=\"sheet\">{}</div>\n<p class=\"appendix\">Appendix</p>\n{}", sheet,
                     others);
}

}  // namespace

std::string figure_html(const Figure& figure) {
  const std::string heading =
      figure.heading.empty() ? std::string() : fmt::format("<h3>{}</h3>", escaped(figure.heading));
  const std::string caption =
      figure.caption.empty() ? std::string()
                             : fmt::format("<figcaption>{}</figcaption>", typeset(figure.caption));
  const std::string data =
      figure.data.rows.empty()
          ? std::string()
          : fmt::format("<details class=\"data\"><summary>The numbers</summary>{}</details>",
                        table_html(figure.data));
  return fmt::format("<figure id=\"{}\">{}{}{}\n{}{}{}</figure>\n", figure.id, heading,
                     keys_html(figure.keys, figure.keys_on_narrow), figure.wide, figure.narrow,
                     caption, data);
}

std::string section_html(const Section& section) {
  return fmt::format("<section id=\"{}\"><p class=\"topic\">{}</p><h2>{}</h2>\n{}</section>\n",
                     section.id, escaped(section.topic), typeset(section.heading),
                     blocks_html(section.blocks));
}

std::string to_html(const Page& page) {
  std::string html = head_html(page);
  html += "<body>\n<main>\n" + body_html(page);
  html += fmt::format("<footer>{}</footer>\n</main>\n", escaped(page.made_by));
  html += fmt::format("<script type=\"application/json\" id=\"scenario\">{}</script>\n",
                      escaped_json(page.json));
  if (page.simulator) {
    html += fmt::format("<script type=\"application/json\" id=\"simulator\">{}</script>\n",
                        escaped_json(nlohmann::json(page.simulator->page).dump()));
  }
  return html + "</body>\n</html>\n";
}

}  // namespace vgsim::report
