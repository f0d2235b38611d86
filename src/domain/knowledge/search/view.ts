import { z } from "zod";
import { CATEGORIES } from "../../kernel/categories.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { view } from "../../kernel/described.ts";
import { shownEmail } from "../../kernel/email.ts";
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

/** A found object. `body` is the text of which the snippet is a part; a person's is their address, if the caller sees it. */
export type FoundRow = {
  type: SearchType;
  id: string;
  /** Null for a person without a name. */
  title: string | null;
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

type NamedRow = FoundRow & { title: string };

/** A found object with its title, which for a person without a name is the address. */
export function named(row: FoundRow): NamedRow {
  if (row.type !== "person") return { ...row, title: row.title ?? "" };
  const body = shownEmail(row.body);
  return { ...row, body, title: row.title ?? body };
}

export function resultView(ctx: InWorkspace, row: NamedRow, snippet: string): SearchResultView {
  const { type, id, title, project_key, status, updated_at, score } = row;
  const key = type === "project" ? project_key : row.key;
  return { type, id, title, url: urlOf(ctx, row), key, project_key, status, snippet, updated_at, score };
}

function urlOf({ settings, workspace }: InWorkspace, row: NamedRow): string {
  const base = `${settings.baseUrl}/w/${workspace.slug}`;
  if (row.type === "project") return `${base}/p/${row.project_slug}`;
  if (row.type === "goal") return `${base}/goals/${row.id}`;
  if (row.type === "person") return `${base}/members?${new URLSearchParams({ q: row.title })}`;
  const anchor = row.type === "comment" || row.type === "message" ? placeOf(row.type, row.id) : "";
  if (row.channel_id !== null) return `${base}/chat/${row.channel_id}${anchor}`;
  if (row.key === null) return `${base}/docs/${row.doc_id ?? row.id}${anchor}`;
  return `${base}/p/${row.project_slug}/${row.key}${anchor}`;
}
