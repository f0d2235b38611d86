/** Colors of pictures. Every text has a contrast of at least 4.5 to what is behind it. */

type Colors = {
  page: string;
  ink: string;
  soft: string;
  line: string;
  strong: string;
  node: string;
  border: string;
};
/** What a node has in a state: its fill, its border, and the color of the word. */
type StateColors = { fill: string; border: string; word: string };

export const STATES = ["pending", "active", "waiting", "done", "failed", "skipped", "cancelled"] as const;
type State = (typeof STATES)[number];

export const LIGHT: Colors & { states: Record<State, StateColors> } = {
  page: "#ffffff",
  ink: "#1a1d23",
  soft: "#525966",
  line: "#7d8593",
  strong: "#1f5fbf",
  node: "#f6f7f9",
  border: "#b4bac5",
  states: {
    pending: { fill: "#f6f7f9", border: "#b4bac5", word: "#525966" },
    active: { fill: "#e8f0fd", border: "#1f5fbf", word: "#174a96" },
    waiting: { fill: "#fff4dc", border: "#b27700", word: "#7a4f00" },
    done: { fill: "#e6f5ea", border: "#2c8a4b", word: "#1c6434" },
    failed: { fill: "#fdeaea", border: "#c93636", word: "#9e2222" },
    skipped: { fill: "#ffffff", border: "#b4bac5", word: "#525966" },
    cancelled: { fill: "#f3eef8", border: "#8861b0", word: "#65408c" },
  },
};

export const DARK: typeof LIGHT = {
  page: "#1c2022",
  ink: "#eef0f3",
  soft: "#b3bac6",
  line: "#7f8896",
  strong: "#7db2ff",
  node: "#21262e",
  border: "#4b5361",
  states: {
    pending: { fill: "#21262e", border: "#4b5361", word: "#b3bac6" },
    active: { fill: "#16294a", border: "#7db2ff", word: "#a9ccff" },
    waiting: { fill: "#3a2d0d", border: "#e3ab3c", word: "#f3c874" },
    done: { fill: "#143322", border: "#57c27c", word: "#8bdca7" },
    failed: { fill: "#451d1f", border: "#f07c7c", word: "#ffb0b0" },
    skipped: { fill: "#14171c", border: "#4b5361", word: "#b3bac6" },
    cancelled: { fill: "#2d2140", border: "#b292d8", word: "#d2bbee" },
  },
};

const variables = ({ states, ...colors }: typeof LIGHT): string =>
  Object.entries(colors)
    .map(([name, color]) => `--${name}:${color}`)
    .join(";");

const ofStates = ({ states }: typeof LIGHT): string =>
  Object.entries(states)
    .map(([state, { fill, border, word }]) => `.${state}{--node:${fill};--border:${border};--word:${word}}`)
    .join("");

export const STYLE = [
  `svg{${variables(LIGHT)};font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}`,
  ofStates(LIGHT),
  `@media (prefers-color-scheme:dark){svg{${variables(DARK)}}${ofStates(DARK)}}`,
  ".page{fill:var(--page)}.box{fill:var(--node);stroke:var(--border);stroke-width:1.5}",
  ".active .box,.waiting .box,.failed .box{stroke-width:2.5}.skipped .box,.cancelled .box{stroke-dasharray:5 4}",
  ".icon{fill:none;stroke:var(--soft);stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}",
  ".title{font-size:14px;font-weight:600;fill:var(--ink)}.detail{font-size:12px;fill:var(--soft)}",
  ".word{font-size:12px;font-weight:600;fill:var(--word)}.dot{fill:var(--border)}",
  ".edge{fill:none;stroke:var(--line);stroke-width:1.5;marker-end:url(#arrow)}.strong{stroke:var(--strong);stroke-width:3;marker-end:url(#strong)}",
  "#arrow path{fill:var(--line)}#strong path{fill:var(--strong)}.in{clip-path:url(#inside)}",
  // A label hides the line behind it.
  ".label{font-size:12px;fill:var(--soft);text-anchor:middle;paint-order:stroke;stroke:var(--page);stroke-width:5}",
].join("");
