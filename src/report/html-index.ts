/** The page that leads to the HTML reports of several programs: the summary as a table with links. */

import { type CheckReport, nameQuestion } from './check-report.ts';
import { verdictOf } from './describe-verdict.ts';
import { escapeXml } from './junit.ts';
import { describeCounts, explain, VERDICT_WORDS } from './summary.ts';
import { THEME_STYLE } from './theme.ts';

const STYLE = `${THEME_STYLE}
main { padding: 12px 18px; max-width: 120ch; }
table { border-collapse: collapse; } th { text-align: left; color: var(--dim); font-weight: 600; }
th, td { padding: 4px 14px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
td.time { text-align: right; white-space: nowrap; } a { color: var(--focus); }
@media (max-width: 700px) { th:nth-child(3), td.time { display: none; } }
`;

export interface IndexEntry {
  readonly report: CheckReport;
  /** Beside the page; null where there is none. */
  readonly file: string | null;
}

export function printHtmlIndex(entries: readonly IndexEntry[]): string {
  const reports = entries.map(({ report }) => report);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>lazuli: ${escapeXml(describeCounts(reports))}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeXml(describeCounts(reports))}</h1>
<table>
<thead><tr><th>program</th><th>verdict</th><th>time</th><th>why</th></tr></thead>
<tbody>
${entries.map(printRow).join('\n')}
</tbody>
</table>
</main>
</body>
</html>
`;
}

function printRow({ report, file }: IndexEntry): string {
  const name = escapeXml(nameQuestion(report));
  const link = file === null ? name : `<a href="${escapeXml(encodeURIComponent(file))}">${name}</a>`;
  const verdict = verdictOf(report.outcome);
  const seconds = `${(report.elapsedMs / 1000).toFixed(1)} s`;
  const cells = [
    `<td>${link}</td>`,
    `<td class="${verdict}">${VERDICT_WORDS[verdict]}</td>`,
    `<td class="time">${seconds}</td>`,
    `<td>${escapeXml(explain(report))}</td>`,
  ];
  return `<tr>${cells.join('')}</tr>`;
}
