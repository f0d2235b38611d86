import { z } from "zod";
import { CATEGORIES } from "../../kernel/categories.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { view } from "../../kernel/described.ts";
import { placeOf } from "../../kernel/place-of.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutSearchResult } from "./descriptions.ts";
import { SEARCH_TYPES, type SearchType } from "./inputs.ts";

export const SearchResultView = view("SearchResult", aboutSearchResult, {
  type: z.enum(SEARCH_TYPES),
  id,
  title: z.string(),
  url: z.string().nullable(),
  key: z.string().nullable(),
  project_key: z.string().nullable(),
  status: z.enum(CATEGORIES).nullable(),
  snippet: z.string(),
  updated_at: timestamp,
  score: z.number(),
});
export type SearchResultView = z.output<typeof SearchResultView>;

/** A found object. `body` is the text of which the snippet is a part. */
export type FoundRow = {
  type: SearchType;
  id: string;
  title: string;
  body: string;
  key: string | null;
  project_key: string | null;
  project_slug: string | null;
  /** The doc or channel that a comment or message belongs to. */
  doc_id: string | null;
  channel_id: string | null;
  status: SearchResultView["status"];
  updated_at: string;
  score: number;
};

export function resultView(ctx: InWorkspace, row: FoundRow, snippet: string): SearchResultView {
  const { type, id, title, key, project_key, status, updated_at, score } = row;
  return { type, id, title, url: urlOf(ctx, row), key, project_key, status, snippet, updated_at, score };
}

function urlOf({ settings, workspace }: InWorkspace, row: FoundRow): string {
  const base = `${settings.baseUrl}/w/${workspace.slug}`;
  const anchor = row.type === "comment" || row.type === "message" ? placeOf(row.type, row.id) : "";
  if (row.channel_id !== null) return `${base}/chat/${row.channel_id}${anchor}`;
  if (row.key === null) return `${base}/docs/${row.doc_id ?? row.id}${anchor}`;
  return `${base}/p/${row.project_slug}/${row.key}${anchor}`;
}
