// Written against the functions that orval generates. It has no cast: what compiles is what arrives.
import { bulkCreateIssues, createIssue, createProject, listIssues, patchIssue } from "./orval/client.js";

const { BASE_URL: baseUrl = "", KEY: apiKey = "", WORKSPACE: slug = "" } = process.env;

// The functions call `fetch` with a path only.
const { fetch } = globalThis;
globalThis.fetch = (path, options) => fetch(new URL(String(path), baseUrl), options);
const headers = { Authorization: `Bearer ${apiKey}` };

const made = await createProject(slug, { key: "GEN", name: "Generated" }, { headers });
if (made.status !== 201) throw new Error(made.data.detail);
const { key } = made.data.data;

const issue = await createIssue(
  slug,
  key,
  { title: "First", priority: "high" },
  { headers: { ...headers, "Idempotency-Key": "first" } },
);
if (issue.status !== 201) throw new Error(issue.data.detail);
const { key: issueKey, labels, due_at } = issue.data.data;

const bulk = await bulkCreateIssues(
  slug,
  key,
  { items: [{ title: "Second" }, { title: "" }, { title: "Third" }] },
  { headers },
);
if (bulk.status !== 201 && bulk.status !== 207) throw new Error(bulk.data.detail);
const rows = bulk.data.data.map((row) => (row.ok ? row.data.title : row.error.code));

const titles: string[] = [];
let cursor: string | undefined;
do {
  const page = await listIssues(slug, key, { limit: 2, ...(cursor ? { cursor } : {}) }, { headers });
  if (page.status !== 200) throw new Error(`${page.status}`);
  titles.push(...page.data.data.map(({ title }) => title));
  cursor = page.data.pagination.next_cursor ?? undefined;
} while (cursor);

const again = await createProject(slug, { key: "GEN", name: "Again" }, { headers });
const stale = await patchIssue(slug, key, issueKey, { title: "Late", if_version: 99 }, { headers });
// @ts-expect-error: a title is required
const invalid = await createIssue(slug, key, {}, { headers });

console.log(
  JSON.stringify({
    issue: { issueKey, labels: labels.length, due_at },
    bulk: { status: bulk.status, rows },
    titles,
    conflict:
      again.status === 409 && stale.status === 409
        ? { status: again.data.status, code: again.data.code, version: stale.data.error.details.version }
        : null,
    invalid:
      invalid.status === 400
        ? { coarse: invalid.data.error.code, fields: invalid.data.error.details.errors?.map((one) => one.path) }
        : null,
  }),
);
