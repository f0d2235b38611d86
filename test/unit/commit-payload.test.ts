import { expect, test } from "vitest";
import { commitsIn, issuesNamed } from "../../src/domain/work/commits/payload.ts";

const sha = "a".repeat(40);
const PROJECTS = new Set(["WEB", "API"]);
const named = (...sent: Parameters<typeof commitsIn>) =>
  commitsIn(...sent).flatMap(({ text }) => issuesNamed(text, PROJECTS).map(({ key, number }) => `${key}-${number}`));
const pull = (ref: string, title = "Login", body: string | null = null) =>
  named("github", "pull_request", { pull_request: { title, body, head: { sha, ref } } });
const merge = (source_branch: string) =>
  named("gitlab", "Merge Request Hook", { object_attributes: { title: "x", source_branch, last_commit: { id: sha } } });

test.each([
  ["WEB-12", ["WEB-12"]],
  ["feature/WEB-12-login", ["WEB-12"]],
  ["ann/web-12-fix-login", ["WEB-12"]],
  ["web-12_fix_login", ["WEB-12"]],
  ["fix_web-12_and_api-7", ["WEB-12", "API-7"]],
  ["login", []],
  ["web-0", []],
  ["web-12x", []],
])("the branch %s of a request names %j", (branch, keys) => {
  expect(pull(branch)).toEqual(keys);
  expect(merge(branch)).toEqual(keys);
});

test("a request names what its title, branch and body name, each once", () => {
  expect(pull("web-2", "WEB-1", "Closes #WEB-3 and WEB-2")).toEqual(["WEB-1", "WEB-2", "WEB-3"]);
});

test.each([
  ["fixes web-12", ["WEB-12"]],
  ["#web-12, Api-7 and WEB-12 again", ["WEB-12", "API-7"]],
  ["Merge branch 'ann/web-12-login'", ["WEB-12"]],
  ["Read utf-8, sha-256 and iso-8601", []],
  ["web-0, web-12x, xweb-12, web_12, web-1234567890", []],
])("the message %j names %j, in any case", (message, keys) => {
  expect(named("github", "push", { commits: [{ id: sha, message }] })).toEqual(keys);
});

test("words that look like keys do not use up the maximum of a message", () => {
  const words = Array.from({ length: 30 }, (_, n) => `sha-${n + 1}`).join(" ");
  expect(named("github", "push", { commits: [{ id: sha, message: `${words} web-1` }] })).toEqual(["WEB-1"]);
});

test("a pushed branch names nothing: others' commits are added when it is brought up to date", () => {
  const push = { ref: "refs/heads/feature/WEB-12", commits: [{ id: sha, message: "Fix API-7" }] };
  expect(named("github", "push", push)).toEqual(["API-7"]);
});

test("commits know the branch that they were pushed to, if it was one", () => {
  const branches = (ref: string) =>
    commitsIn("github", "push", { ref, commits: [{ id: sha, message: "x" }] }).map(({ branch }) => branch);
  expect(branches("refs/heads/feature/login")).toEqual(["feature/login"]);
  expect(branches("main")).toEqual(["main"]);
  expect(branches("refs/tags/v1.0")).toEqual([null]);
});
