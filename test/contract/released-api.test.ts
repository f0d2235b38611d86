import { expect, test } from "vitest";
import { changelogText, changesSinceRelease, releasedSurface } from "./changelog.ts";
import type { Surface } from "./surface.ts";
import { changesBetween } from "./surface-changes.ts";

/** The promise of docs/versioning.md: nothing that the last release had is removed or narrowed. */

/** Changes that break the promise on purpose, with the reason. The changelog of the project names each of them. */
const INTENDED: readonly (readonly [change: RegExp, reason: string])[] = [
  [
    /^operation `listAuditLog` .*: scope `workspaces:read` becomes `audit:read`$/,
    "every key that could read work could read the networks of people",
  ],
  [/^input `listIssues query\.ready`: type `string` added/, "`ready=false` was refused; the wire has the same words"],
  [/^reply `KeyUsage\.(series\[\]|totals)\.p\d+_ms`: type `integer` added/, "the contract has integers"],
  [
    /^reply `getAgentSession 200\.data`: type `AgentSessionDetail` added, type `AgentSession` removed$/,
    "it has all fields of the other, and `answers`",
  ],
  [
    /: type `(array of )?string\(email\)` added, type `(array of )?string` removed$/,
    "addresses outside of ASCII are e-mail addresses",
  ],
  [
    /^input `\S+\.spent_on`: type `string\(date\)` added, type `string` removed$/,
    "anything but a day was always refused; the description says so now",
  ],
  [/^error code `unsupported_media_type`: status 400 becomes 415$/, "the status of RFC 9110, which clients expect"],
];

test("what has changed since the last release breaks no clients, but for what is intended", () => {
  const breaking = changesSinceRelease().filter(({ breaks }) => breaks);
  expect(breaking.filter(({ text }) => !INTENDED.some(([change]) => change.test(text)))).toEqual([]);
  const gone = INTENDED.filter(([change]) => !breaking.some(({ text }) => change.test(text)));
  expect(gone).toEqual([]);
});

const released = releasedSurface();

/** The changes that a change of the released surface makes, as `kind: text`, and whether they break clients. */
function changesAfter(change: (surface: Surface) => void, today = "2026-12-24") {
  const after = structuredClone(released);
  change(after);
  const changes = changesBetween(released, after, today);
  return changes.map(({ kind, text, breaks }) => `${kind} ${breaks ? "!" : ""}${text}`);
}

const title = () => structuredClone(released.inputs["IssueCreateInput.title"]!);

test.each<[string, (surface: Surface) => void, string[]]>([
  ["a field of a reply", ({ outputs }) => delete outputs["Issue.title"], ["Removed !reply `Issue.title`"]],
  [
    "a field of a body",
    ({ inputs }) => delete inputs["IssueCreateInput.title"],
    ["Removed !input `IssueCreateInput.title`"],
  ],
  ["a parameter", ({ inputs }) => delete inputs["listIssues query.label"], ["Removed !input `listIssues query.label`"]],
  ["an event", ({ events }) => events.splice(events.indexOf("issue.created"), 1), ["Removed !event `issue.created`"]],
  ["an error code", ({ errors }) => delete errors.archived, ["Removed !error code `archived`"]],
  [
    "an operation",
    ({ operations }) => delete operations.getIssue,
    ["Removed !operation `getIssue` (`GET /v1/workspaces/{slug}/projects/{key}/issues/{issueKey}`)"],
  ],
])("%s that is gone breaks clients", (_, change, lines) => {
  expect(changesAfter(change)).toEqual(lines);
});

test("a narrower input breaks clients, and a wider one does not", () => {
  const withTitle = (more: object) =>
    changesAfter(({ inputs }) => {
      inputs["IssueCreateInput.title"] = { ...title(), ...more };
    });
  const path = "input `IssueCreateInput.title`";
  expect(withTitle({ maxLength: 100 })).toEqual([`Changed !${path}: maxLength 255 becomes 100`]);
  expect(withTitle({ maxLength: 500 })).toEqual([`Changed ${path}: maxLength 255 becomes 500`]);
  expect(withTitle({ enum: ["one"] })).toEqual([`Changed !${path}: value \`one\` added`]);
  expect(withTitle({ type: ["null", "string"] })).toEqual([`Changed ${path}: type \`null\` added`]);
  const required = { ...released.inputs["IssueCreateInput.priority"]!, required: true as const };
  expect(
    changesAfter(({ inputs }) => {
      inputs["IssueCreateInput.priority"] = required;
      inputs["IssueCreateInput.mood"] = required;
    }),
  ).toEqual(["Changed !input `IssueCreateInput.priority`: now required", "Added !input `IssueCreateInput.mood`"]);
});

test("a reply may get new fields and values, but no new types", () => {
  const status = released.outputs["Issue.status"]!;
  expect(
    changesAfter(({ outputs }) => {
      outputs["Issue.mood"] = title();
      outputs["Issue.status"] = { ...status, enum: [...status.enum!, "paused"] };
    }),
  ).toEqual(["Changed reply `Issue.status`: value `paused` added", "Added reply `Issue.mood`"]);
  expect(
    changesAfter(({ outputs }) => {
      outputs["Issue.title"] = { ...outputs["Issue.title"]!, type: ["null", "string"] };
    }),
  ).toEqual(["Changed !reply `Issue.title`: type `null` added"]);
});

test("a deprecated operation may go after its sunset, and six months at the earliest", () => {
  const deprecated = (since: string, sunset: string): Surface => ({
    ...released,
    operations: { ...released.operations, getIssue: { ...released.operations.getIssue!, since, sunset } },
  });
  const { getIssue: _, ...rest } = released.operations;
  const removal = (before: Surface, today: string) =>
    changesBetween(before, { ...released, operations: rest }, today).map(({ breaks }) => breaks);
  expect(removal(deprecated("2026-01-01", "2026-07-01"), "2026-07-01")).toEqual([false]);
  expect(removal(deprecated("2026-01-01", "2026-07-01"), "2026-06-30")).toEqual([true]);
  expect(removal(deprecated("2026-05-01", "2026-07-01"), "2026-07-01")).toEqual([true]);
});

test("a new operation is one line, and its fields are not repeated", () => {
  const before = structuredClone(released);
  delete before.operations.createIssue;
  for (const fields of [before.inputs, before.outputs]) {
    for (const path of Object.keys(fields)) if (/^(createIssue |IssueCreateInput\.)/.test(path)) delete fields[path];
  }
  const changes = changesBetween(before, released, "2026-12-24");
  expect(changes.map(({ text }) => text)).toEqual([
    "operation `createIssue` (`POST /v1/workspaces/{slug}/projects/{key}/issues`)",
  ]);
  expect(changelogText(changes)).toContain("## Unreleased\n\n### Added\n\n- operation `createIssue`");
});
