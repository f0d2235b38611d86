import type { Bench } from "./setup.ts";

const iso = (instant: unknown) => new Date(instant as string).toISOString();

const ABSENT = "00000000-0000-7000-8000-000000000000";

/** The query of each filter, by its name. `issues` is the number of issues in the project. */
export async function filterCases(
  { sql, ids: { projectId } }: Bench,
  issues: number,
): Promise<Record<string, Record<string, string>>> {
  const one = async (text: string) => (await sql(text, [projectId]))[0]!.x as string;
  const person = await one("select assignee_ids[1] as x from issue where project_id = $1 and number = 7");
  const email = `u7@bench.test`;
  const column = await one("select id as x from board_status where project_id = $1 and category = 'done'");
  const sprint = await one("select id as x from sprint where project_id = $1 order by rank offset 30 limit 1");
  const milestone = await one("select id as x from milestone where project_id = $1 order by rank limit 1");
  const release = await one("select id as x from release where project_id = $1 order by rank limit 1");
  const rare = { sprint: "active" };
  const due = await one("select min(due_at) + interval '9 days' as x from issue where project_id = $1").then(iso);
  const recent = await one("select max(updated_at) - interval '1 hour' as x from issue where project_id = $1").then(
    iso,
  );
  const epic = await one(
    "select 'WEB-' || epic_number as x from issue where project_id = $1 and epic_number is not null limit 1",
  );
  const known = String(Math.ceil(issues * 0.04711));
  return {
    "no filter": {},
    "sort created_desc": { sort: "created_desc" },
    "sort updated_desc": { sort: "updated_desc" },
    "sort priority_desc": { sort: "priority_desc" },
    "sort due_asc": { sort: "due_asc" },
    "archived, updated_desc": { archived: "true", sort: "updated_desc" },
    "assignee, updated_desc": { assignee: person, sort: "updated_desc" },
    "status, priority_desc": { status: "todo", sort: "priority_desc" },
    "due_before, due_asc": { due_before: due, sort: "due_asc" },
    "due_before, nothing is": { due_before: "1999-01-01" },
    "updated_since, updated_desc": { updated_since: recent, sort: "updated_desc" },
    updated_since: { updated_since: recent },
    "field, a text": { "customFields.Customer": `customer ${known}` },
    "field, a text of nobody": { "customFields.Customer": "nobody" },
    "field, a number": { "customFields.Budget": known },
    "field, a rare range": { "customFields.Budget": `${issues - 10}..` },
    "field, half of all": { "customFields.Budget": `${issues / 2}..` },
    "field, half of all, updated_desc": { "customFields.Budget": `${issues / 2}..`, sort: "updated_desc" },
    "field, a frequent option": { "customFields.Severity": "Low" },
    "field, a rare option": { "customFields.Severity": "Fatal" },
    "field, a rare one of many": { "customFields.Browsers": "Opera" },
    "field, days": { "customFields.Agreed on": "2031-01-01..2031-01-07" },
    "field, two": { "customFields.Severity": "Fatal", "customFields.Budget": `..${issues / 2}` },
    "field and assignee": { "customFields.Severity": "Low", assignee: person },
    "field, a checkbox": { "customFields.Paid": "true" },
    "field, none (all have it)": { "customFields.Budget": "none" },
    archived: { archived: "true" },
    "archived and type": { archived: "true", type: "bug" },
    "archived, q a common word": { archived: "true", q: "login" },
    "status, a category": { status: "done" },
    "status, a rare category": { status: "in_review" },
    "status, a column's id": { status: column },
    "status, a column's name": { status: "To Do" },
    "status, two categories": { status: "todo,in_review" },
    "status, a category and a column": { status: "failed,To Do" },
    "status, created_desc": { status: "in_review", sort: "created_desc" },
    "assignee, id": { assignee: person },
    "assignee, e-mail": { assignee: email },
    "assignee me (has none)": { assignee: "me" },
    "assignee none": { assignee: "none" },
    "assignee, created_desc": { assignee: person, sort: "created_desc" },
    "assignee and open": { assignee: person, status: "backlog,todo,in_progress,in_review" },
    reporter: { reporter: person },
    "reporter, created_desc": { reporter: person, sort: "created_desc" },
    "reporter and status": { reporter: person, status: "failed" },
    label: { label: "label 3" },
    "label, two": { label: "label 3,label 4" },
    "label and assignee": { label: "label 3", assignee: person },
    "label and priority, created_desc": { label: "label 3", priority: "critical", sort: "created_desc" },
    priority: { priority: "critical" },
    "priority, two": { priority: "critical,low" },
    type: { type: "bug" },
    "type epic": { type: "epic" },
    "type epic, created_desc": { type: "epic", sort: "created_desc" },
    "priority and type": { priority: "critical", type: "story" },
    "priority, type and status": { priority: "critical", type: "story", status: "in_review" },
    "sprint, id": { sprint },
    "sprint, created_desc": { sprint, sort: "created_desc" },
    "sprint, unknown": { sprint: ABSENT },
    "sprint active": rare,
    "sprint active, created_desc": { ...rare, sort: "created_desc" },
    "sprint active and status": { ...rare, status: "todo" },
    "sprint none": { sprint: "none" },
    "sprint none and open": { sprint: "none", status: "todo" },
    milestone: { milestone },
    "milestone none": { milestone: "none" },
    "milestone and sprint": { milestone, sprint },
    release: { release },
    "release none": { release: "none" },
    "parent, key": { parent: "WEB-41" },
    "parent none": { parent: "none" },
    "epic, key": { epic },
    "epic none": { epic: "none" },
    "epic none and type epic": { epic: "none", type: "epic" },
    "q, a common word": { q: "login" },
    "q, a common word, created_desc": { q: "login", sort: "created_desc" },
    "q, a rare word": { q: "zebra" },
    "q, no such word": { q: "nosuchword" },
    "q, a key": { q: `WEB-${known}` },
    "q common and assignee": { q: "login", assignee: person },
    "q, two common words": { q: "login search" },
    "q, words that all have": { q: "describe wrong" },
  };
}
