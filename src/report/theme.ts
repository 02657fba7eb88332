/**
 * The look that all pages share (report, playground, study of a swarm): colours in light and dark, type, controls.
 * Pages put it first into their style and use its variables; `data-theme` on the root chooses against the system's
 * wish. Contrast of text is at least 4.5 to 1 on each of the backgrounds.
 */

const DARK = `--bg: #14171c; --fg: #e6e9ee; --soft: #1d2229; --line: #38404b; --dim: #a3adb9;
  --bad: #ff8a80; --good: #7ddc9a; --unclear: #ffc966; --mark: #4a3f10; --focus: #8ab4f8; --accent: #1f4fa3;
  --t0: #8ab4f8; --t1: #ff8a80; --t2: #7ddc9a; --t3: #d3a6f5; --t4: #ffc966; --t5: #6fd8de;`;

/** So many colours for threads; the lanes tell them apart, too. */
export const THREAD_COLOURS = 6;

export const THEME_STYLE = `
:root { color-scheme: light dark; --bg: #ffffff; --fg: #1b1f24; --soft: #f3f5f8; --line: #d5dae1; --dim: #59636e;
  --bad: #b3261e; --good: #1a6b37; --unclear: #8a5a00; --mark: #fff1b8; --focus: #0b57d0; --accent: #0b57d0;
  --t0: #0b57d0; --t1: #b3261e; --t2: #1a6b37; --t3: #7a3fa0; --t4: #8a5a00; --t5: #00696f; }
:root[data-theme=light] { color-scheme: light; }
:root[data-theme=dark] { color-scheme: dark; ${DARK} }
@media screen and (prefers-color-scheme: dark) { :root:not([data-theme=light]) { ${DARK} } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--fg); font: 15px/1.45 system-ui, sans-serif; }
code, pre, .code { font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; }
h1 { font-size: 19px; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 14px; margin: 14px 0 6px; color: var(--dim); text-transform: uppercase; letter-spacing: .04em; }
.unsafe { color: var(--bad); } .safe, .safe-up-to-bounds { color: var(--good); } .unknown { color: var(--unclear); }
button, input, select { font: inherit; color: inherit; background: var(--bg); border: 1px solid var(--line);
  border-radius: 6px; padding: 3px 9px; }
button { cursor: pointer; } button:hover { border-color: var(--focus); } button:disabled { color: var(--dim); cursor: default; }
button.primary { background: var(--accent); border-color: var(--accent); color: #ffffff; font-weight: 600; }
button.primary kbd { color: var(--fg); font-weight: 400; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 5px; background: var(--bg); font-size: 12px; }
.link { border: 0; padding: 0; background: none; color: var(--focus); text-decoration: underline; }
.quiet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`;
