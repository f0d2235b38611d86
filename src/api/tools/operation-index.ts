import type { Located } from "../../domain/access/identity/access.sql.ts";
import { own } from "../../domain/kernel/own.ts";
import { mayEverCall } from "../engine/access.ts";
import type { Runtime } from "../engine/call.ts";
import { fieldsOf } from "../engine/encode.ts";
import type { Operation } from "../engine/operation.ts";
import { tagOf } from "../openapi/describe.ts";
import type { Callable } from "./callable.ts";

/** Why an operation is not called as a tool. Null if it is. */
export function notATool({ streams, path, method }: Operation): string | null {
  if (!streams) return null;
  return `It streams without an end. Open ${method} ${path} with an HTTP client and the same credential.`;
}

/** Words of an operation, each with how much a match in it counts. */
type Entry = { callable: Callable; words: readonly (readonly [string, number])[] };

export type OperationIndex = (query: string, runtime: Runtime, located: Located) => Callable[];

/** The words of a query that are looked at. */
const MAX_WORDS = 12;

/**
 * Finds operations by words of their names, summaries, paths and fields: the best first. An empty query finds all.
 * Operations that the caller may never call are left out.
 */
export function operationIndex(callables: Iterable<Callable>): OperationIndex {
  const entries = [...callables].map(entryOf);
  return (query, runtime, located) => {
    const words = wordsOf(query).slice(0, MAX_WORDS);
    return entries
      .map((entry) => ({ callable: entry.callable, score: scoreOf(entry, words) }))
      .filter(({ score }) => score > 0 || words.length === 0)
      .filter(({ callable }) => mayEverCall(runtime, callable.operation, located))
      .sort((a, b) => b.score - a.score)
      .map(({ callable }) => callable);
  };
}

function entryOf(callable: Callable): Entry {
  const { operation, id } = callable;
  const weighed: [string, number][] = [
    [id.replaceAll(/([A-Z])/g, " $1"), 4],
    [tagOf(operation), 4],
    [operation.summary, 3],
    [operation.path.replaceAll(/\{\w+\}|^\/v1\/workspaces/g, " "), 3],
    [operation.method, 1],
    [((operation.body && fieldsOf(operation.body)) ?? []).join(" "), 2],
  ];
  return { callable, words: weighed.flatMap(([text, weight]) => wordsOf(text).map((word) => [word, weight] as const)) };
}

/** Words that mean the same to those who search. */
const SAME: Readonly<Record<string, string>> = {
  add: "create",
  new: "create",
  make: "create",
  update: "patch",
  edit: "patch",
  change: "patch",
  remove: "delete",
  read: "get",
  ticket: "issue",
  task: "issue",
  column: "status",
  document: "doc",
  page: "doc",
  user: "member",
  people: "member",
  token: "key",
};

/** Words of questions, which occur in many summaries and say nothing about an operation. */
const EMPTY = new Set(
  "a an and are at by can do does for from how i in into is it its me my of on or please someone something that the this to up want what which who with".split(
    " ",
  ),
);

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z0-9]+/g) ?? [])
    .filter((word) => !EMPTY.has(word))
    .map((word) => {
      const one = word.length > 3 ? word.replace(/(?<=[^s])s$/, "") : word;
      return own(SAME, one) ?? one;
    });

/** Every word that matches adds its best weight. More words found count more than heavier ones. */
function scoreOf({ words }: Entry, wanted: readonly string[]): number {
  return wanted.reduce((sum, word) => {
    const best = words.reduce((max, [one, weight]) => (matches(one, word) && weight > max ? weight : max), 0);
    return best > 0 ? sum + 5 + best : sum;
  }, 0);
}

const matches = (word: string, wanted: string) => word === wanted || (wanted.length > 2 && word.startsWith(wanted));
