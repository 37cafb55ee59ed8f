#include "tools/report/style.hpp"

namespace vgsim::report {
namespace {

// White text on the colours of the light theme, dark text on those of the dark one and all other
// texts have a contrast of 4.5 at least (WCAG 2, AA).
constexpr std::string_view kStyle = R"css(
:root{color-scheme:light dark;
--page:#fff;--panel:#f5f6f8;--ink:#1b1f24;--soft:#59626d;--line:#d5dae0;--hair:#e8ebef;--link:#1f5c99;--on:#fff;
--compute:#2f6299;--compute-2:#54799f;--communication:#a84d0f;--waiting:#69717c;--optimizer:#2a7263;--data:#77489b;
--s0:#2f6299;--s1:#a84d0f;--s2:#2a7263;--s3:#77489b;--s4:#a03050;--s5:#5d6370;
--load0:#c3c9d1;--load1:#d9b65c;--load2:#d8923a;--load3:#c9672b;--load4:#b03a22;--load5:#7d1420;
--part0:#2f6299;--part1:#a84d0f;--part2:#2a7263;--part3:#77489b;--part4:#a03050;--part5:#5d6370;
--bad:#a3202c;--warning:#8a5200;--note:#59626d}
@media screen and (prefers-color-scheme:dark){:root{
--page:#14171b;--panel:#1c2026;--ink:#e9ebee;--soft:#a8b0ba;--line:#3b434d;--hair:#272d34;--link:#8cbcf0;--on:#101317;
--compute:#7fb0e6;--compute-2:#a9c6e6;--communication:#eea05c;--waiting:#a3aab5;--optimizer:#6cc2ab;--data:#c09be0;
--s0:#7fb0e6;--s1:#eea05c;--s2:#6cc2ab;--s3:#c09be0;--s4:#f08ba5;--s5:#b9c0ca;
--load0:#4a535e;--load1:#6f6136;--load2:#977339;--load3:#c4853f;--load4:#ec9a55;--load5:#ffb79a;
--part0:#7fb0e6;--part1:#eea05c;--part2:#6cc2ab;--part3:#c09be0;--part4:#f08ba5;--part5:#b9c0ca;
--bad:#ff9a98;--warning:#f0b767;--note:#a8b0ba}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);
font:15px/1.55 -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Liberation Sans",sans-serif}
main{max-width:928px;margin:0 auto;padding:40px 24px 64px}
h1,h2,h3{line-height:1.25;font-weight:600;text-wrap:balance;overflow-wrap:anywhere}
h1{font-size:30px;margin:0;letter-spacing:-.01em}
h2{font-size:20px;margin:0 0 12px}
h3{font-size:15px;margin:24px 0 8px}
p{margin:0 0 12px;max-width:46em;overflow-wrap:anywhere}
a{color:var(--link)}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:13px}
.subject,.aside,.source,figcaption,footer{color:var(--soft)}
.subject{margin:4px 0 20px}
.lead p{margin-bottom:8px;max-width:44em}
.lead p:first-child{font-size:20px;line-height:1.4}
.knowledge{border-left:3px solid var(--line);padding-left:12px;margin:20px 0 0;color:var(--soft)}
#open-simulator:not([hidden]){display:inline-block;margin:16px 0 0;border:1px solid var(--soft);border-radius:4px;padding:3px 10px;text-decoration:none}
nav{margin:28px 0 0;border-top:1px solid var(--line);border-bottom:1px solid var(--line)}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:2px 18px;margin:0;padding:8px 0;font-size:13px}
nav a{text-decoration:none}
nav a:hover,nav a:focus{text-decoration:underline}
section{margin-top:52px}
.appendix{margin:64px 0 -20px;border-top:1px solid var(--line);padding-top:12px;font-size:24px;font-weight:600}
.topic{color:var(--soft);font-size:13px;margin:0 0 2px}
.aside,figcaption,footer{font-size:13px}
figcaption{margin-top:8px;max-width:54em;overflow-wrap:anywhere}
footer{margin-top:64px;border-top:1px solid var(--line);padding-top:12px}
figure{margin:0 0 28px}
svg{display:block;width:100%;height:auto}
svg.wide{max-width:880px}
svg.narrow,.keys.on-narrow{display:none}
svg.narrow{max-width:520px}
svg text{font-size:12px;fill:var(--soft);font-variant-numeric:tabular-nums}
svg text.name{font-size:13px;fill:var(--ink)}
svg text.value{fill:var(--ink);font-weight:600}
svg text.on{fill:var(--on)}
svg text.halo,svg text.in-box{paint-order:stroke;stroke:var(--page);stroke-width:4px;stroke-linejoin:round}
svg text.in-box{stroke:var(--panel)}
.keys{list-style:none;display:flex;flex-wrap:wrap;gap:2px 16px;margin:0 0 10px;padding:0;font-size:13px;color:var(--soft)}
.keys li{display:flex;align-items:center;gap:6px}
svg.key{width:12px;height:12px;flex:none}
.compute{fill:var(--compute)}.compute-2{fill:var(--compute-2)}.communication{fill:var(--communication)}
.waiting{fill:var(--waiting)}.optimizer{fill:var(--optimizer)}.data{fill:var(--data)}
.part0{fill:var(--part0)}.part1{fill:var(--part1)}.part2{fill:var(--part2)}.part3{fill:var(--part3)}.part4{fill:var(--part4)}.part5{fill:var(--part5)}
.s0{--c:var(--s0)}.s1{--c:var(--s1)}.s2{--c:var(--s2)}.s3{--c:var(--s3)}.s4{--c:var(--s4)}.s5{--c:var(--s5)}
.load0{--c:var(--load0)}.load1{--c:var(--load1)}.load2{--c:var(--load2)}.load3{--c:var(--load3)}.load4{--c:var(--load4)}.load5{--c:var(--load5)}
.curve{fill:none;stroke:var(--c);stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.dash1{stroke-dasharray:7 4}.dash2{stroke-dasharray:2 4}
.dot{fill:var(--c)}
.band{fill:var(--c);opacity:.16}
.ring{fill:var(--page);stroke:var(--c);stroke-width:1.5}
.link{fill:none;stroke:var(--c);stroke-linejoin:round}
.w0{stroke-width:1}.w1{stroke-width:1.5}.w2{stroke-width:2}.w3{stroke-width:3}.w4{stroke-width:4}.w5{stroke-width:5}
.chip{fill:var(--c)}
.grid{stroke:var(--hair);stroke-width:1}
.axis{stroke:var(--line);stroke-width:1}
.mark{stroke:var(--ink);stroke-width:1.5;fill:none}
.limit{stroke:var(--soft);stroke-width:1.2;stroke-dasharray:5 4;fill:none}
.vm{fill:none;stroke:var(--c);stroke-width:1.5;stroke-dasharray:5 3}
.box{fill:var(--panel);stroke:var(--line)}
.node{fill:var(--page);stroke:var(--soft)}
.at-low{fill:var(--page);stroke:var(--s0);stroke-width:1.5}.at-high{fill:var(--s0);stroke:var(--s0);stroke-width:1.5}
table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums;margin:0 0 16px}
th,td{text-align:left;padding:5px 0 5px 22px;border-bottom:1px solid var(--hair);vertical-align:top;font-weight:400}
th:first-child,td:first-child{padding-left:0}
thead th{color:var(--soft);font-size:13px;border-bottom-color:var(--line);vertical-align:bottom}
th.n,td.n{text-align:right}
td.n,td.w{white-space:nowrap}
.scrolls{overflow-x:auto;margin-bottom:16px}
@media screen and (min-width:929px){.scrolls{width:max-content;min-width:100%;max-width:calc(100vw - 48px);position:relative;left:50%;transform:translateX(-50%)}}
.scrolls table{margin-bottom:4px}
.scrolls:focus-visible,summary:focus-visible,a:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.stacks td,.stacks th{overflow-wrap:break-word;max-width:30em}
.stacks td.n{white-space:normal;min-width:6em}
.stacks td:last-child{min-width:12em}
th.sub{padding-left:16px;color:var(--soft)}
details{margin:0 0 14px}
summary{cursor:pointer;color:var(--link);font-size:13px;margin-bottom:8px}
details.data{margin-top:8px}
pre{background:var(--panel);padding:12px 14px;border-radius:4px;white-space:pre-wrap;overflow-wrap:anywhere;margin:0 0 12px}
ul.plain{padding-left:18px;margin:0 0 16px}
ul.plain li{margin-bottom:4px;max-width:50em;overflow-wrap:anywhere}
.findings{list-style:none;margin:0 0 16px;padding:0}
.finding{border-left:3px solid var(--note);padding:0 0 0 14px;margin:0 0 14px;font-size:14px}
.finding p{margin:0 0 2px;max-width:58em}
.finding .verdict{font-weight:600;color:var(--note)}
.finding.refused{border-color:var(--bad)}.finding.refused .verdict{color:var(--bad)}
.finding.warning{border-color:var(--warning)}.finding.warning .verdict{color:var(--warning)}
.finding .of,.finding .source{color:var(--soft);font-size:13px}
@media (max-width:899px){
main{padding:24px 16px 48px}
h1{font-size:24px}h2{font-size:18px}
.lead p:first-child{font-size:18px}
section{margin-top:40px}
svg.wide{display:none}svg.narrow{display:block}.keys.on-narrow{display:flex}
table{font-size:13px}
th,td{padding-left:12px}
td.n{white-space:normal}
.stacks thead{display:none}
.stacks tr{display:block;border-bottom:1px solid var(--line);padding:8px 0}
.stacks th,.stacks td{display:block;border:0;padding:1px 0;text-align:left;white-space:normal;max-width:none;overflow-wrap:anywhere}
.stacks th{font-weight:600}
.stacks td:empty{display:none}
.stacks td[data-label]::before{content:attr(data-label) ": ";color:var(--soft)}
}
@media print{
:root{--ink:#000;--soft:#444b54}
@page{margin:14mm}
body{font-size:10pt}
main{max-width:none;padding:0}
nav,.simulator,details:not([open]):not(.on-paper){display:none}
details.on-paper::details-content{content-visibility:visible;block-size:auto}
summary{color:var(--soft);list-style:none}
section{margin-top:28px}
h1,h2,h3,.topic,.appendix,summary,.keys,thead{break-after:avoid}
h1,h2,h3,p,pre,figure,.finding,tr,.keys,li{break-inside:avoid}
p,li{orphans:3;widows:3}
p:has(+table,+.scrolls,+ul,+figure,+details),tbody tr:first-child,tbody tr:nth-last-child(2){break-after:avoid}
table:not(:has(tr:nth-child(14))){break-inside:avoid}
.stacks td,.stacks th{max-width:none}
.sheet{height:calc(100vh - 4px);display:flex;flex-direction:column;break-after:page;font-size:9pt;line-height:1.4}
.sheet>*{flex:none;margin-top:9px}
.sheet header{margin-top:0}
.sheet h1{font-size:17pt}.sheet h2{font-size:11pt;margin-bottom:4px}.sheet .topic{display:none}
.sheet .subject{margin:2px 0 6px}
.sheet figcaption,.sheet .aside,.sheet .keys{font-size:8pt}
.sheet .keys{margin-bottom:4px}.sheet figcaption{margin-top:2px;max-width:none}.sheet thead th{font-size:8.5pt}
.sheet tbody th{white-space:nowrap}.sheet th.n,.sheet td.n{min-width:5.5em}
.sheet #machines figcaption,.sheet #machines h3{display:none}
.sheet .lead p{margin-bottom:4px;max-width:none}.sheet .lead p:first-child{font-size:12.5pt}
.sheet .knowledge{margin:8px 0 0}
.sheet .scrolls,.sheet figure,.sheet ul.plain,.sheet p{margin-bottom:4px}
.sheet th,.sheet td{padding-top:1px;padding-bottom:1px}
.sheet ul.plain li{max-width:none;margin-bottom:1px}
.sheet section:has(figure){flex:0 1 auto;min-height:0;display:flex;flex-direction:column}
.sheet section:has(figure)>*{flex:none}
.sheet section>figure{flex:0 1 auto;min-height:0;display:flex;flex-direction:column}
.sheet figure>*{flex:none}
.sheet figure>svg.wide{flex:0 1 auto;min-height:0}
.appendix{margin-top:0;border:0;padding:0;font-size:17pt}
svg.wide{display:block;max-width:none}svg.narrow,.keys.on-narrow{display:none}
.scrolls{overflow:visible}
table{font-size:9pt}
th,td{padding-left:8px;overflow-wrap:anywhere}
td.n{white-space:normal}
thead{display:table-header-group}
.stacks thead{display:table-header-group}
.stacks tr{display:table-row}
.stacks th,.stacks td{display:table-cell;padding:3px 0 3px 10px;border-bottom:1px solid var(--hair);font-weight:400;overflow-wrap:break-word}
.stacks th:first-child{padding-left:0}
.stacks th.n,.stacks td.n{text-align:right}
.stacks td[data-label]::before{content:none}
}
)css";

}  // namespace

std::string_view style() { return kStyle; }

}  // namespace vgsim::report
