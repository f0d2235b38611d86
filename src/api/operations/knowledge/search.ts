import { SearchQuery } from "../../../domain/knowledge/search/inputs.ts";
import { searchPage } from "../../../domain/knowledge/search/search.ts";
import { SearchResultView } from "../../../domain/knowledge/search/view.ts";
import { operation } from "../../engine/operation.ts";

export const searchOperations = [
  operation({
    id: "search.query",
    route: "GET W/search",
    summary: "Search issues, docs, comments and messages, the best matches first",
    needs: "search:read",
    limitedKeys: "filter",
    query: SearchQuery,
    returns: SearchResultView,
    shape: "list",
    perMinute: 60,
    handle: ({ ctx, query, paging }) => searchPage(ctx, query, paging),
  }),
];
