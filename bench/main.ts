/**
 * `npm run bench [-- name …]`: runs benchmarks one after another. Each prints ratios to a reference of the same run.
 */

const BENCHMARKS: Record<string, () => Promise<void>> = {
  http: async () => (await import("./http.ts")).run(),
  "key-usage": async () => (await import("./key-usage.ts")).run(),
  credits: async () => (await import("./credits.ts")).run(),
  "commit-to-job": async () => (await import("./commit-to-job.ts")).run(),
  events: async () => (await import("./events.ts")).run(),
  relay: async () => (await import("./relay.ts")).run(),
  deliveries: async () => (await import("./deliveries.ts")).run(),
  plans: async () => (await import("./plans.ts")).run(),
  planning: async () => (await import("./planning.ts")).run(),
  reports: async () => (await import("./reports.ts")).run(),
  memory: async () => (await import("./memory.ts")).run(),
  chat: async () => (await import("./chat.ts")).run(),
  goals: async () => (await import("./goals.ts")).run(),
  export: async () => (await import("./export.ts")).run(),
  search: async () => (await import("./search.ts")).run(),
  scale: async () => (await import("./scale.ts")).run(),
  filters: async () => (await import("./filters.ts")).run(),
  automations: async () => (await import("./automations.ts")).run(),
  views: async () => (await import("./views.ts")).run(),
  "mass-changes": async () => (await import("./mass-changes.ts")).run(),
  "agent-streams": async () => (await import("./agent-streams.ts")).run(),
  pages: async () => (await import("./pages.ts")).run(),
  "page-streams": async () => (await import("./page-streams.ts")).run(),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}. Known: ${Object.keys(BENCHMARKS).join(", ")}.`);
  process.exit(2);
}
for (const name of wanted.length > 0 ? wanted : Object.keys(BENCHMARKS)) await BENCHMARKS[name]!();
