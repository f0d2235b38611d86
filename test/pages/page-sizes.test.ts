import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { counting } from "../support/statements.ts";
import { type World, world } from "../support/world.ts";

/** Pages of a large project stay small. */

const ISSUES = 1_000;
const MOST_BYTES = 200_000;

/** Issues with all that a card shows, in the columns of the board in turn. */
async function fillBoard({ owner, sql, workspace, project, columns }: World): Promise<void> {
  const labels = await Promise.all(
    ["Needs design", "Customer", "Regression"].map((name) => owner.post("P/labels", { name }).expect(201)),
  );
  await sql(
    `insert into issue (id, workspace_id, project_id, number, key, type, title, description_md, status, status_id, priority,
                        rank, assignee_ids, reporter_id, label_ids, due_at, story_points, comment_count, child_count,
                        open_blocker_count, created_by, created_at, updated_at)
     select gen_random_uuid(), $1, $2, n, 'WEB-' || n, 'task', 'The sign-in page forgets what was typed when it is sent ' || n,
            '', s.category, s.id, 'high', 'a' || lpad(n::text, 6, '0'), array[$3::uuid], $3, $4::uuid[],
            now() + interval '3 days', 5, 7, 3, 1, $3, now(), now()
     from generate_series(1, $5) n
     join (select id, category, row_number() over () as place from board_status where project_id = $2) s
       on s.place = 1 + n % $6`,
    [
      ...[workspace.id, project.id, owner.userId, labels.map(({ data }) => data.id), ISSUES],
      Object.keys(columns).length,
    ],
  );
}

test("the board and the list of a thousand issues are small, however many columns there are", async () => {
  const here = await world();
  await fillBoard(here);
  const visitor = await browser(here.app, here.owner.userId);
  const pages = ["p/web", "p/web/list", "p/web/backlog", ""];
  for (const path of pages) {
    const page = await visitor.get(`/w/${here.workspace.slug}/${path}`.replace(/\/$/, ""));
    expect(page.status, path).toBe(200);
    expect(Buffer.byteLength(page.text), path).toBeLessThan(MOST_BYTES);
  }
  for (let n = Object.keys(here.columns).length; n < 12; n++) {
    await here.owner.post("P/statuses", { name: `Column ${n}`, category: "todo" }).expect(201);
  }
  await here.sql(
    `update issue i set status_id = s.id, status = s.category
     from (select id, category, row_number() over () as place from board_status where project_id = $1) s
     where i.project_id = $1 and s.place = 1 + i.number % 12`,
    [here.project.id],
  );
  const { result, statements } = await counting(() => visitor.get(`/w/${here.workspace.slug}/p/web`));
  expect(result.text.split(`class="issue-card"`).length - 1).toBeGreaterThan(80);
  expect(Buffer.byteLength(result.text)).toBeLessThan(MOST_BYTES);
  expect(statements.length).toBeLessThan(80);
});
