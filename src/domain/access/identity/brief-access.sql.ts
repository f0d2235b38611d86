import type { Db, Statement } from "../../kernel/ports/ports.ts";
import { shows } from "../../kernel/present.sql.ts";
import { type Gathered, gather } from "./gather.ts";
import { bareIssueColumns } from "./issue-row.ts";
import { type IssueRef, LIVE_KEY, type Lookup } from "./lookup.ts";
import type { BareIssue } from "./names.ts";

/**
 * The statement of nearly every call: it reads that a key is live, its workspace's access version, and the issue that the
 * path names. Calls that arrive together share it.
 */

type Question = { lookup: Lookup; now: string; projectId: string | null; issue: string | number | null };
export type Brief = {
  access_version: number;
  id: string | null;
  row_state?: string;
  /** For sessions: the workspace that has the name now. */
  named_id?: string;
} & Partial<BareIssue>;

/** `stored`: issues are read as they are stored, so that a write can tell whether the row is still the same. */
type Kind = { by: Lookup["by"]; issueBy: IssueRef["by"] | null; stored: boolean };

function statementFor({ by, issueBy, stored }: Kind): Statement {
  const { from, where } = LIVE_KEY[by];
  const type = issueBy === "id" ? "uuid" : "integer";
  const slugs = by === "session" ? (issueBy ? "$5" : "$3") : null;
  const issue = issueBy ? `left join issue i on i.project_id = w.project_id and i.${issueBy} = w.issue` : "";
  return {
    name: `access_brief_${by}${issueBy ? `_${issueBy}` : ""}`,
    text: `
      select w.n as question, a.version as access_version ${issueBy ? `, ${bareIssueColumns}` : ""}
        ${issueBy && stored ? ", i.xmin as row_state" : ""} ${by === "session" ? ", k.workspace_id as named_id" : ""}
      from unnest($1::bytea[] ${issueBy ? `, $3::uuid[], $4::${type}[]` : ""} ${slugs ? `, ${slugs}::text[]` : ""})
        with ordinality w(hash ${issueBy ? ", project_id, issue" : ""} ${slugs ? ", slug" : ""}, n)
      join ${from("w.hash", "w.slug")}
      join access_version a on a.workspace_id = k.workspace_id
      ${issue}
      where ${where}`,
  };
}

async function ask(db: Db, statement: Statement, kind: Kind, questions: Question[]): Promise<(Brief | null)[]> {
  const hashes = questions.map(({ lookup }) => lookup.hash);
  // The calls came in this order, in the same moment.
  const { now } = questions.at(-1)!;
  const issues = [questions.map(({ projectId }) => projectId), questions.map(({ issue }) => issue)];
  const slugs = questions.map(({ lookup }) => (lookup.by === "session" ? lookup.slug : null));
  const rows = await db.query<Brief & { question: number }>(statement, [
    ...[hashes, now],
    ...(kind.issueBy ? issues : []),
    ...(kind.by === "session" ? [slugs] : []),
  ]);
  const answers = questions.map((): Brief | null => null);
  for (const row of rows) answers[row.question - 1] = row;
  return answers;
}

const asking = new WeakMap<Db, Map<string, Gathered<Question, Brief | null>>>();

/** Null if there is no such live key. `id` is null if there is no such issue. */
export function readBriefly(
  db: Db,
  lookup: Lookup,
  projectId: string | null,
  issue: IssueRef | null,
  now: string,
): Promise<Brief | null> {
  const kinds = asking.get(db) ?? new Map<string, Gathered<Question, Brief | null>>();
  asking.set(db, kinds);
  const { by } = lookup;
  const kind = { by, issueBy: issue?.by ?? null, stored: !shows(db).changes };
  const name = `${by} ${kind.issueBy}`;
  let question = kinds.get(name);
  if (!question) {
    const statement = statementFor(kind);
    question = gather((questions) => ask(db, statement, kind, questions));
    kinds.set(name, question);
  }
  return question({ lookup, now, projectId, issue: issue?.value ?? null });
}
