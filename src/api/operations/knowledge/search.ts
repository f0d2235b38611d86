import { hasScope } from "../../../domain/access/identity/scopes.ts";
import type { InWorkspace, WithCredential } from "../../../domain/kernel/context.ts";
import { refuse } from "../../../domain/kernel/errors.ts";
import { SearchQuery, type SearchType, typesOf } from "../../../domain/knowledge/search/inputs.ts";
import { searchPage } from "../../../domain/knowledge/search/search.ts";
import { SearchResultView } from "../../../domain/knowledge/search/view.ts";
import { operation } from "../../engine/operation.ts";

export const searchOperations = [
  operation({
    id: "search.query",
    route: "GET W/search",
    summary: "Search issues, docs, comments and messages, the best matches first",
    about:
      'Words are combined with and, `"…"` finds a phrase, and `-word` excludes. The last word also matches the beginning of longer words. Issues and docs are searched unless `types` names others. An issue key finds its issue first; then title, key and labels count more than the text, and recent objects more than old ones. Archived objects are not found. `snippet` is escaped HTML with `<mark>` around matches. A key searches at most 60 times a minute.',
    needs: "search:read",
    limitedKeys: "filter",
    query: SearchQuery,
    returns: SearchResultView,
    shape: "list",
    perMinute: 60,
    async handle({ ctx, query, paging }) {
      const types = typesOf(query.types);
      checkScopes(ctx, types);
      return searchPage(ctx, query.q, { types, paging });
    },
  }),
];

/** Scopes for the types that are searched only on request, besides that of search. */
const SCOPES = { comment: "comments:read", message: "chat:read" } as const;

/** @throws Refusal insufficient_scope */
function checkScopes({ principal, credential }: InWorkspace & WithCredential, types: readonly SearchType[]): void {
  for (const type of types) {
    const scope = type === "comment" || type === "message" ? SCOPES[type] : null;
    if (scope === null || hasScope(principal, credential, scope)) continue;
    refuse("insufficient_scope", {
      message: `To search for type ${type}, the key needs the scope ${scope}.`,
      required_scope: scope,
      granted: credential.scopes,
    });
  }
}
