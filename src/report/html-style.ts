/** The look of the HTML report beyond the shared theme: lanes, source, state; readable without colours and on paper. */

import { THEME_STYLE } from './theme.ts';

export const HTML_STYLE = `${THEME_STYLE}
header { padding: 12px 18px; border-bottom: 1px solid var(--line); }
header p { margin: 2px 0; color: var(--dim); }
.tools { display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: center; padding: 8px 18px; border-bottom: 1px solid var(--line);
  background: var(--soft); position: sticky; top: 0; z-index: 2; }
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
.prose { padding: 8px 18px; } .prose pre { white-space: pre-wrap; background: var(--soft); padding: 10px; border-radius: 6px; }
[data-embedded] header, [data-embedded] section[aria-label=source], [data-embedded] #theme { display: none; }
[data-embedded] main { grid-template-columns: minmax(320px, 3fr) minmax(180px, 1fr); height: calc(100vh - 60px); }
@media (max-width: 900px) { main { display: block; height: auto; } main > section { border-right: 0; max-height: 60vh; } }
@media print { .tools { display: none; } main { display: block; height: auto; } main > section { overflow: visible; max-height: none; border: 0; }
  .steps li { content-visibility: visible; break-inside: avoid; } }
@media (prefers-reduced-motion: no-preference) { .steps li { scroll-margin: 80px; } }
`;
