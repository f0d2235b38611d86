/** Providers of agents, and words in the names of their clients and keys. The first that fits counts. */
const WORDS = [
  ["copilot", /\bcopilot\b/],
  ["cursor", /\bcursor\b/],
  ["perplexity", /\bperplexity\b/],
  ["deepseek", /\bdeep ?seek\b/],
  ["gemini", /\bgemini\b/],
  ["kimi", /\b(kimi|moonshot)\b/],
  ["claude", /\b(claude|anthropic)\b/],
  ["openai", /\b(open ?ai|chat ?gpt|gpt|codex)\b/],
] as const;

/** Guesses the provider from the name of an agent, its client or its key, e.g. `claude` from "Claude Code". */
export function kindOf(...names: string[]): string {
  const text = names
    .join(" ")
    .toLowerCase()
    .replace(/[^a-z]+/g, " ");
  return WORDS.find(([, words]) => words.test(text))?.[0] ?? "custom";
}
