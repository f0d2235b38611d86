import { expect, test } from "vitest";
import { indexOldRowsNow } from "../support/jobs.ts";
import { search } from "../support/search.ts";
import { world } from "../support/world.ts";

test("rows from before search existed are found once a worker has indexed them, and nothing else of them changes", async () => {
  const { owner, sql, workspace } = await world();
  const label = await owner.post("P/labels", { name: "owl" }).expect(201);
  await owner.post("P/issues", { title: "Owl", labels: [label.data.id] }).expect(201);
  const issue = (await owner.post("P/issues/WEB-1/comments", { body_md: "An owl" }).expect(201)) && (await issueOf());
  const doc = await owner.post("W/docs", { title: "Owls", body_md: "Owls" }).expect(201);
  await owner.post(`W/docs/${doc.data.id}/comments`, { body_md: "The owl" }).expect(201);
  const tables = { issue: "search_head", doc: "search", comment: "search", doc_comment: "search", label: "search" };
  for (const [table, column] of Object.entries(tables)) {
    const more = table === "label" ? "" : ", search = ''";
    await sql(`update ${table} set ${column} = null${column === "search" ? "" : more} where workspace_id = $1`, [
      workspace.id,
    ]);
  }
  const all = "types=issue,doc,comment";
  expect(await search(owner, "owl", all)).toEqual([]);
  await indexOldRowsNow();
  const found = await search(owner, "owl", all);
  expect(found.map(({ type, title }) => `${type} ${title}`).sort()).toEqual([
    "comment Owl",
    "comment Owls",
    "doc Owls",
    "issue Owl",
  ]);
  expect(await issueOf()).toEqual(issue);

  async function issueOf() {
    return (await owner.get("P/issues/WEB-1").expect(200)).data;
  }
});
