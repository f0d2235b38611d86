import { seesEmails } from "../../access/identity/emails.ts";
import { namesIn } from "../../access/identity/mention-names.sql.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { MAX_TERMS, namedIssue, termsOf, titleOf } from "../../kernel/search-terms.ts";
import { indexQuery, termsOfPeople } from "./index-query.ts";
import type { SearchType } from "./inputs.ts";
import { prepare } from "./prepare.sql.ts";
import { search } from "./search.sql.ts";
import { snippetMaker } from "./snippet.ts";
import { named, resultView, type SearchResultView } from "./view.ts";

/** Objects of these types that the caller sees, the best matches first. */
export async function searchPage(
  ctx: InWorkspace,
  q: string,
  { types, paging }: { types: readonly SearchType[]; paging: Paging },
) {
  const all = termsOf(q);
  const terms = all.slice(0, MAX_TERMS);
  if (all.length > MAX_TERMS) {
    const message = `Only the first ${MAX_TERMS} words are searched for.`;
    ctx.warnings.push({ code: "words_ignored", message, parameter: "q" });
  }
  const nothing = { rows: [] as SearchResultView[], next_cursor: null };
  if (terms.length === 0) return nothing;

  const { after } = paging;
  const now = after === null ? ctx.now : String(after[0]);
  const here = { slug: ctx.workspace.slug, baseUrl: ctx.settings.baseUrl };
  const prepared = await prepare(ctx, terms, namedIssue(q, here), titleOf(q));
  const wanted = indexQuery(terms, prepared);
  const people = indexQuery(terms, termsOfPeople(prepared, seesEmails(ctx.principal)));
  if (wanted === null || people === null || types.length === 0) return nothing;
  const found = await search(ctx, { types, query: wanted, people, prepared, now, after, limit: paging.limit + 1 });
  const page = pageOf(
    found.map(named),
    paging,
    (row) => [now, row.score, row.updated_at, row.id],
    () => 1,
  );
  const names = await namesIn(
    ctx,
    page.rows.map(({ body }) => body),
  );
  const snippet = snippetMaker(terms, names);
  const rows: SearchResultView[] = [];
  for (const row of page.rows) {
    rows.push(resultView(ctx, row, await snippet(row)));
    // A long text takes some milliseconds.
    if (row.body.length > 4_096) await letOthersRun();
  }
  return { rows, next_cursor: page.next_cursor };
}
