import { hasScope, type Scope } from "../../../domain/access/identity/scopes.ts";
import type { InWorkspace, WithCredential } from "../../../domain/kernel/context.ts";
import { refuse } from "../../../domain/kernel/errors.ts";
import { DEFAULT_TYPES, SearchQuery, type SearchType, typesOf } from "../../../domain/knowledge/search/inputs.ts";
import { searchPage } from "../../../domain/knowledge/search/search.ts";
import { SearchResultView } from "../../../domain/knowledge/search/view.ts";
import { operation } from "../../engine/operation.ts";

export const searchOperations = [
  operation({
    id: "search.query",
    route: "GET W/search",
    summary: "Search issues, docs, comments, messages, projects, people and goals, the best matches first",
    about:
      'Words are combined with and, `"…"` finds a phrase, and `-word` excludes. The last word also matches the beginning of longer words. Without `types`, issues and docs are searched, and projects, people and goals if the key has their scopes. An issue key finds its issue first; then title, key and labels count more than the text, and recent issues, docs, comments and messages more than old ones. People are the members of the workspace, whom their names and, except for guests, the beginnings of their e-mail addresses find; agents are listed by `GET …/agents`. Archived and deleted objects are not found. `snippet` is escaped HTML with `<mark>` around matches. A key searches at most 60 times a minute.',
    needs: "search:read",
    limitedKeys: "filter",
    query: SearchQuery,
    returns: SearchResultView,
    shape: "list",
    perMinute: 60,
    async handle({ ctx, query, paging }) {
      const asked = typesOf(query.types);
      const types = asked ?? DEFAULT_TYPES.filter((type) => missingScope(ctx, type) === null);
      if (asked !== null) checkScopes(ctx, asked);
      return searchPage(ctx, query.q, { types, paging });
    },
  }),
];

/** The scopes that types need in addition to that of search. */
const SCOPES: Readonly<Record<SearchType, Scope | null>> = {
  issue: null,
  doc: null,
  comment: "comments:read",
  message: "chat:read",
  project: "projects:read",
  person: "members:read",
  goal: "goals:read",
};

type Ctx = InWorkspace & WithCredential;

/** The scope that the caller lacks for a type. */
function missingScope({ principal, credential }: Ctx, type: SearchType): Scope | null {
  const scope = SCOPES[type];
  return scope === null || hasScope(principal, credential, scope) ? null : scope;
}

/** @throws Refusal insufficient_scope */
function checkScopes(ctx: Ctx, types: readonly SearchType[]): void {
  for (const type of types) {
    const scope = missingScope(ctx, type);
    if (scope === null) continue;
    refuse("insufficient_scope", {
      message: `To search for type ${type}, the key needs the scope ${scope}.`,
      required_scope: scope,
      granted: ctx.credential.scopes,
    });
  }
}
