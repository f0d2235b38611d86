// Written against the functions that @hey-api/openapi-ts generates. It has no cast: what compiles is what arrives.
import { client } from "./hey-api/client.gen.js";
import { bulkCreateIssues, createIssue, createProject, listIssues, patchIssue } from "./hey-api/sdk.gen.js";

const { BASE_URL: baseUrl = "", KEY: key = "", WORKSPACE: slug = "" } = process.env;
client.setConfig({ baseUrl, auth: () => key });

const made = await createProject({ path: { slug }, body: { key: "GEN", name: "Generated" } });
if (!made.data) throw new Error(made.error.detail);
const path = { slug, key: made.data.data.key };

const issue = await createIssue({
  path,
  headers: { "Idempotency-Key": "first" },
  body: { title: "First", priority: "high" },
});
if (!issue.data) throw new Error(issue.error.detail);
const { key: issueKey, labels, due_at } = issue.data.data;

const bulk = await bulkCreateIssues({
  path,
  body: { items: [{ title: "Second" }, { title: "" }, { title: "Third" }] },
});
if (!bulk.data) throw new Error(bulk.error.detail);
const rows = bulk.data.data.map((row) => (row.ok ? row.data.title : row.error.code));

const titles: string[] = [];
let cursor: string | undefined;
do {
  const page = await listIssues({ path, query: { limit: 2, ...(cursor ? { cursor } : {}) } });
  if (!page.data) throw new Error(page.error.detail);
  titles.push(...page.data.data.map(({ title }) => title));
  cursor = page.data.pagination.next_cursor ?? undefined;
} while (cursor);

const again = await createProject({ path: { slug }, body: { key: "GEN", name: "Again" } });
const stale = await patchIssue({ path: { ...path, issueKey }, body: { title: "Late", if_version: 99 } });
// @ts-expect-error: a title is required
const invalid = await createIssue({ path, body: {} });

console.log(
  JSON.stringify({
    issue: { issueKey, labels: labels.length, due_at },
    bulk: { status: bulk.response?.status, rows },
    titles,
    conflict: { status: again.error?.status, code: again.error?.code, version: stale.error?.error.details.version },
    invalid: { coarse: invalid.error?.error.code, fields: invalid.error?.error.details.errors?.map((one) => one.path) },
  }),
);
