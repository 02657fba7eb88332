/** The look of the HTML report: light and dark, readable without colours, and on paper. */

export const HTML_STYLE = `
:root { color-scheme: light dark; --bg: #ffffff; --fg: #1b1f24; --soft: #f3f5f8; --line: #d5dae1; --dim: #59636e;
  --bad: #b3261e; --good: #1a6b37; --unclear: #8a5a00; --mark: #fff1b8; --focus: #0b57d0;
  --t0: #0b57d0; --t1: #b3261e; --t2: #1a6b37; --t3: #7a3fa0; --t4: #8a5a00; --t5: #00696f; }
:root[data-theme=dark] { --bg: #14171c; --fg: #e6e9ee; --soft: #1d2229; --line: #38404b; --dim: #a3adb9;
  --bad: #ff8a80; --good: #7ddc9a; --unclear: #ffc966; --mark: #4a3f10; --focus: #8ab4f8;
  --t0: #8ab4f8; --t1: #ff8a80; --t2: #7ddc9a; --t3: #d3a6f5; --t4: #ffc966; --t5: #6fd8de; }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { --bg: #14171c; --fg: #e6e9ee; --soft: #1d2229;
  --line: #38404b; --dim: #a3adb9; --bad: #ff8a80; --good: #7ddc9a; --unclear: #ffc966; --mark: #4a3f10; --focus: #8ab4f8;
  --t0: #8ab4f8; --t1: #ff8a80; --t2: #7ddc9a; --t3: #d3a6f5; --t4: #ffc966; --t5: #6fd8de; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--fg); font: 15px/1.45 system-ui, sans-serif; }
code, pre, .code { font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; }
header { padding: 12px 18px; border-bottom: 1px solid var(--line); }
h1 { font-size: 19px; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 14px; margin: 14px 0 6px; color: var(--dim); text-transform: uppercase; letter-spacing: .04em; }
.unsafe { color: var(--bad); } .safe, .safe-up-to-bounds { color: var(--good); } .unknown { color: var(--unclear); }
header p { margin: 2px 0; color: var(--dim); }
.tools { display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: center; padding: 8px 18px; border-bottom: 1px solid var(--line);
  background: var(--soft); position: sticky; top: 0; z-index: 2; }
button, input, select { font: inherit; color: inherit; background: var(--bg); border: 1px solid var(--line); border-radius: 6px; padding: 3px 9px; }
button { cursor: pointer; } button:hover { border-color: var(--focus); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
main { display: grid; grid-template-columns: minmax(280px, 5fr) minmax(360px, 6fr) minmax(220px, 3fr); height: calc(100vh - 130px); min-height: 420px; }
main > section { overflow: auto; padding: 0 14px 20px; border-right: 1px solid var(--line); }
section h2.file { text-transform: none; letter-spacing: 0; }
.source { border-spacing: 0; width: 100%; } .source td { padding: 0 6px; vertical-align: top; white-space: pre-wrap; overflow-wrap: anywhere; }
.source .number { color: var(--dim); text-align: right; user-select: none; width: 1%; white-space: nowrap; font-size: 12px; }
.source .who { width: 1%; white-space: nowrap; font-weight: 700; }
.source tr.here { background: var(--mark); }
ol.steps { list-style: none; margin: 0; padding: 0; }
.steps li { display: grid; grid-template-columns: 48px repeat(var(--lanes), minmax(130px, 1fr)); border-left: 3px solid transparent; cursor: pointer;
  content-visibility: auto; contain-intrinsic-size: auto 25px; }
.steps li.dull { display: none; } .steps.all li.dull { display: grid; } .steps li.off { display: none; }
.steps li:hover { background: var(--soft); } .steps li[aria-selected=true] { background: var(--mark); border-left-color: var(--focus); }
.steps li.seen .cell { outline: 2px dashed var(--good); outline-offset: -2px; }
.steps li.touches .cell { font-weight: 700; }
.steps li.switch { border-top: 1px solid var(--line); }
.steps .index { color: var(--dim); padding: 2px 6px; text-align: right; }
.cell { padding: 2px 8px; border-left: 4px solid var(--lane); overflow-wrap: anywhere; } .cell.locked { border-left-style: double; border-left-width: 7px; }
.effects { color: var(--dim); font-size: 13px; } .violation .effects { color: var(--bad); font-weight: 700; }
.lanes { display: grid; grid-template-columns: 48px repeat(var(--lanes), minmax(130px, 1fr)); position: sticky; top: 0; background: var(--bg);
  font-weight: 700; border-bottom: 1px solid var(--line); padding: 6px 0; z-index: 1; }
.lanes span { overflow-wrap: anywhere; border-left: 4px solid var(--lane); padding-left: 8px; }
table.state { border-spacing: 0; width: 100%; } .state td { padding: 1px 6px 1px 0; overflow-wrap: anywhere; } .state tr.new td { font-weight: 700; background: var(--mark); }
.link { border: 0; padding: 0; background: none; color: var(--focus); text-decoration: underline; }
kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 5px; background: var(--bg); font-size: 12px; }
.quiet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.prose { padding: 8px 18px; } .prose pre { white-space: pre-wrap; background: var(--soft); padding: 10px; border-radius: 6px; }
@media (max-width: 900px) { main { display: block; height: auto; } main > section { border-right: 0; max-height: 60vh; } }
@media print { .tools { display: none; } main { display: block; height: auto; } main > section { overflow: visible; max-height: none; border: 0; }
  .steps li { content-visibility: visible; break-inside: avoid; } }
@media (prefers-reduced-motion: no-preference) { .steps li { scroll-margin: 80px; } }
`;
