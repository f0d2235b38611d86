// Written against the types that openapi-typescript generates. It has no cast: what compiles is what arrives.
import createClient from "openapi-fetch";
import type { paths } from "./openapi-typescript/types.js";

const { BASE_URL: baseUrl = "", KEY: key = "", WORKSPACE: slug = "" } = process.env;
const muster = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

const made = await muster.POST("/v1/workspaces/{slug}/projects", {
  params: { path: { slug } },
  body: { key: "GEN", name: "Generated" },
});
if (!made.data) throw new Error(made.error.detail);
const path = { slug, key: made.data.data.key };

const issue = await muster.POST("/v1/workspaces/{slug}/projects/{key}/issues", {
  params: { path, header: { "Idempotency-Key": "first" } },
  body: { title: "First", priority: "high" },
});
if (!issue.data) throw new Error(issue.error.detail);
const { key: issueKey, labels, due_at } = issue.data.data;

const bulk = await muster.POST("/v1/workspaces/{slug}/projects/{key}/issues/bulk", {
  params: { path },
  body: { items: [{ title: "Second" }, { title: "" }, { title: "Third" }] },
});
if (!bulk.data) throw new Error(bulk.error.detail);
const rows = bulk.data.data.map((row) => (row.ok ? row.data.title : row.error.code));

const titles: string[] = [];
let cursor: string | undefined;
do {
  const page = await muster.GET("/v1/workspaces/{slug}/projects/{key}/issues", {
    params: { path, query: { limit: 2, ...(cursor ? { cursor } : {}) } },
  });
  if (!page.data) throw new Error(page.error.detail);
  titles.push(...page.data.data.map(({ title }) => title));
  cursor = page.data.pagination.next_cursor ?? undefined;
} while (cursor);

const again = await muster.POST("/v1/workspaces/{slug}/projects", {
  params: { path: { slug } },
  body: { key: "GEN", name: "Again" },
});
const stale = await muster.PATCH("/v1/workspaces/{slug}/projects/{key}/issues/{issueKey}", {
  params: { path: { ...path, issueKey } },
  body: { title: "Late", if_version: 99 },
});
// @ts-expect-error: a title is required
const invalid = await muster.POST("/v1/workspaces/{slug}/projects/{key}/issues", { params: { path }, body: {} });

console.log(
  JSON.stringify({
    issue: { issueKey, labels: labels.length, due_at },
    bulk: { status: bulk.response.status, rows },
    titles,
    conflict: { status: again.error?.status, code: again.error?.code, version: stale.error?.error.details.version },
    invalid: { coarse: invalid.error?.error.code, fields: invalid.error?.error.details.errors?.map((one) => one.path) },
  }),
);
