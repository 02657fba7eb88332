/** The look of the HTML report beyond the shared theme: lanes, source, state; readable without colours and on paper. */

import { THEME_STYLE } from './theme.ts';

export const HTML_STYLE = `${THEME_STYLE}
header { padding: 12px 18px; border-bottom: 1px solid var(--line); }
header p { margin: 2px 0; color: var(--dim); }
body { display: flex; flex-direction: column; min-height: 100vh; }
.tools { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; padding: 8px 18px; border-bottom: 1px solid var(--line);
  background: var(--soft); position: sticky; top: 0; z-index: 4; }
.tools #shown { color: var(--dim); }
main { flex: 1 1 0; display: grid; grid-template-columns: minmax(280px, 5fr) minmax(360px, 7fr) minmax(210px, 3fr); min-height: 420px; }
main > section { overflow: auto; padding: 0 14px 20px; border-right: 1px solid var(--line); height: 0; min-height: 100%; position: relative; }
main > section.picture { padding: 0; }
h2.file { text-transform: none; letter-spacing: 0; }
h3 { font-size: 13px; margin: 8px 0 2px; font-weight: 600; } h3.current { text-decoration: underline; }
.source { border-spacing: 0; width: 100%; } .source td { padding: 0 6px; vertical-align: top; white-space: pre-wrap; overflow-wrap: anywhere; }
.source .number { color: var(--dim); text-align: right; user-select: none; width: 1%; white-space: nowrap; font-size: 12px; }
.source .who { width: 1%; white-space: nowrap; font-weight: 700; }
.source tr.here { background: var(--mark); }
.note { display: inline-block; margin-left: 2em; padding: 0 6px; border-left: 3px solid currentColor; font: 13px/1.5 system-ui, sans-serif; }
.note.cut, .note.missed { color: var(--unclear); } .note.reached, .note.holds { color: var(--good); }
[data-r] { font-style: inherit; cursor: help; } [data-r]:hover, [data-r]:focus { text-decoration: underline dotted; text-underline-offset: 3px; }
.range { position: fixed; z-index: 9; max-width: min(60ch, 92vw); padding: 4px 8px; white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace;
  background: var(--bg); color: var(--fg); border: 1px solid var(--dim); border-radius: 4px; box-shadow: 0 2px 8px #0004; pointer-events: none; }
.scope { color: var(--dim); font-size: 13px; margin: 8px 0; }
.lanes { display: grid; grid-template-columns: 44px repeat(var(--lanes), minmax(0, 1fr)); position: sticky; top: 0; background: var(--bg);
  font-weight: 700; border-bottom: 1px solid var(--line); padding: 6px 0; z-index: 3; min-width: calc(44px + var(--lanes) * 120px); }
.lanes span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .lanes span + span { border-left: 4px solid var(--lane); padding-left: 8px; }
.steps { position: relative; min-width: calc(44px + var(--lanes) * 120px); }
.steps > svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; pointer-events: none; z-index: 2; }
.steps svg path { fill: none; stroke: var(--good); stroke-width: 2; } .steps svg marker path { fill: var(--good); stroke: none; }
.row { position: absolute; left: 0; right: 0; display: grid; grid-template-columns: var(--index-width) repeat(var(--lanes), minmax(0, 1fr)); cursor: pointer;
  background: var(--bg); }
.row:hover { background: var(--soft); } .row[aria-selected=true] { background: var(--mark); box-shadow: inset 4px 0 var(--focus); }
.row .index { color: var(--dim); padding: 3px 6px; text-align: right; font-size: 13px; }
.row.same .index::after { content: ' •'; color: var(--focus); font-weight: 700; }
.lane { display: flex; min-width: 0; border-left: 2px solid transparent; background: inherit; } .lane.alive { border-left-color: color-mix(in srgb, var(--lane) 55%, var(--bg)); }
.cell { flex: 0 0 auto; width: max-content; min-width: 60%; max-width: calc(var(--span) * 100% - 12px); padding: 3px 6px; border-left: 3px solid var(--lane);
  height: 100%; position: relative; z-index: 1; background: inherit; }
.cell code, .effects { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; line-height: 1.4; }
.effects { color: var(--dim); font-size: 13px; } .violation .effects { color: var(--bad); font-weight: 700; }
.row.seen .cell { outline: 2px dashed var(--good); outline-offset: -3px; }
.bracket { flex: 0 0 7px; margin-left: 2px; border-left: 3px double var(--lane); }
.bracket.open { border-top: 3px double var(--lane); margin-top: 4px; } .bracket.close { border-bottom: 3px double var(--lane); margin-bottom: 4px; }
.row.fold { color: var(--dim); } .more { align-self: center; padding: 0 8px; font-style: italic; font-size: 13px; text-decoration: underline dotted; }
.arrow { position: absolute; top: 0; height: 0; border-top: 2px dashed var(--dim); pointer-events: none; z-index: 2; }
.arrow::after { content: ''; position: absolute; top: -5px; border: 4px solid transparent; }
.arrow.right::after { right: -3px; border-left: 7px solid var(--dim); border-right: 0; } .arrow.left::after { left: -3px; border-right: 7px solid var(--dim); border-left: 0; }
.arrow.create { top: auto; bottom: 3px; border-top: 2px solid var(--focus); } .arrow.join { top: auto; bottom: 3px; border-top: 2px solid var(--t3); }
.arrow.create.right::after { border-left-color: var(--focus); } .arrow.create.left::after { border-right-color: var(--focus); }
.arrow.join.right::after { border-left-color: var(--t3); } .arrow.join.left::after { border-right-color: var(--t3); }
table.state { border-spacing: 0; width: 100%; } .state td { padding: 1px 6px 1px 0; overflow-wrap: anywhere; vertical-align: top; }
.state tr.new td { font-weight: 700; background: var(--mark); } .state .link { text-align: left; } .state td:first-child .link { color: inherit; text-decoration: none; }
ol.stack { margin: 0; padding-left: 22px; } #reads { padding-left: 18px; margin: 0; }
noscript pre, .prose pre { white-space: pre-wrap; background: var(--soft); padding: 10px; border-radius: 6px; margin: 8px 0; }
.prose { padding: 8px 18px; max-width: 120ch; }
[data-embedded] header, [data-embedded] section[aria-label=source], [data-embedded] .listing, [data-embedded] #theme { display: none; }
[data-embedded] main { grid-template-columns: minmax(320px, 3fr) minmax(170px, 1fr); }
[data-embedded] .tools { padding: 6px 10px; }
@media (max-width: 900px) { main, [data-embedded] main { display: flex; flex-direction: column; } .picture { order: -1; } main > section { flex: none; border-right: 0; height: auto; min-height: 0; max-height: 60vh; }
  .tools kbd, .tools .hint { display: none; } }
@media print { body { display: block; } .tools, .range { display: none; } main, [data-embedded] main { display: block; }
  main > section { overflow: visible; height: auto; max-height: none; border: 0; padding: 0; }
  section[aria-label=state] { display: none; } .lanes { position: static; }
  .steps.printed .row { position: relative; break-inside: avoid; } .printed .cell code, .printed .effects { white-space: normal; overflow: visible; overflow-wrap: anywhere; }
  .row[aria-selected=true] { background: none; box-shadow: none; } * { print-color-adjust: exact; } }
`;
