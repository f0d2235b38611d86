import { LEAN_KEY } from "./floors/schema.sql.ts";
import type { Target } from "./load.ts";
import type { CountingProxy } from "./trips.ts";

/** The calls that are compared, and what each of the compared programs gets. */

export const ISSUES = 10_000;

/** Of whom the calls are made: their addresses and bodies differ. */
export type Kind = "muster" | "lean" | "own";

export type Call = {
  name: string;
  /** At least this share of the lean floor's requests a second, alone and with a worker beside it. */
  goals: { web: number; worker?: number };
  status: number;
  method: NonNullable<Target["method"]>;
  /** What follows the address of the project. */
  path: (turn: number) => string;
  body?: (kind: Kind, turn: number) => string;
  /** The path at the floor on the service's own tables. Calls without one have no such floor. */
  own?: string;
};

const TITLE = "A new issue about the login page";
const TEXT = "The quick brown fox jumps over the lazy dog. ".repeat(10);

const NEW: Record<Kind, object> = {
  muster: { type: "bug", title: TITLE, description_md: TEXT, priority: "high", assignee: "me" },
  lean: { type: "bug", title: TITLE, description: TEXT, priority: "high", assignee_id: 7 },
  own: { type: "bug", title: TITLE, description_md: TEXT, priority: "high", assignee: "me" },
};

const anyIssue = () => `/issues/WEB-${Math.ceil(Math.random() * ISSUES)}`;
/** One issue after another, so that no call waits for another one's row. */
const nextIssue = (turn: number) => `/issues/WEB-${(turn % ISSUES) + 1}`;

export const CALLS: Call[] = [
  {
    name: "GET one issue",
    goals: { web: 0.65 },
    status: 200,
    method: "GET",
    path: anyIssue,
    own: "/one",
  },
  {
    name: "GET list of 50",
    goals: { web: 0.8 },
    status: 200,
    method: "GET",
    path: () => "/issues?limit=50",
    own: "/list",
  },
  {
    name: "POST issue",
    goals: { web: 0.8, worker: 0.65 },
    status: 201,
    method: "POST",
    path: () => "/issues",
    body: (kind) => JSON.stringify(NEW[kind]),
    own: "/create",
  },
  {
    name: "PATCH issue",
    goals: { web: 0.6 },
    status: 200,
    method: "PATCH",
    path: nextIssue,
    body: (_, turn) => JSON.stringify({ title: `Issue about change ${turn}` }),
  },
  {
    name: "transition",
    goals: { web: 0.6 },
    status: 200,
    method: "POST",
    path: (turn) => `${nextIssue(turn)}/transition`,
    // Every lap moves the issues on, so that each call changes something.
    body: (_, turn) => JSON.stringify({ status: Math.floor(turn / ISSUES) % 2 === 0 ? "in_progress" : "todo" }),
  },
];

const PROJECTS = "/v1/workspaces/bench/projects";

/** A compared program. `turns` counts its calls by name: it changes its own issues. */
export type Program = {
  name: string;
  kind: Kind;
  port: number;
  pid: number;
  turns: Record<string, number>;
  /** The same program with a proxy in front of its database. */
  counted?: { port: number; proxy: CountingProxy };
};

/** The request of a call. With several `projects`, each call goes to the next one. */
export function requestOf(call: Call, { kind, port, turns }: Program, key: string, projects = ["WEB"]): Target {
  const { name, body, path, method, status } = call;
  turns[name] ??= 0;
  return {
    method,
    status,
    headers: { authorization: `Bearer ${kind === "lean" ? LEAN_KEY : key}` },
    url: `http://127.0.0.1:${port}${kind === "own" ? call.own : PROJECTS}`,
    path: () => {
      const turn = turns[name]!++;
      return kind === "own" ? "" : `/${projects[turn % projects.length]}${path(turn)}`;
    },
    ...(body ? { body: () => body(kind, turns[name]! - 1) } : {}),
  };
}
