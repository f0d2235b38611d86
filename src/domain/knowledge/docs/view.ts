import { z } from "zod";
import type { WithProject } from "../../access/identity/project-access.sql.ts";
import type { Audience } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { part, view } from "../../kernel/described.ts";
import { parseExact } from "../../kernel/exact-json.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutDeletedDoc, aboutDoc } from "./descriptions.ts";
import { VISIBILITIES, type Visibility } from "./inputs.ts";

export const DocView = view("Doc", aboutDoc, {
  id,
  title: z.string(),
  project_id: id.nullable(),
  parent_id: id.nullable(),
  icon: z.string().nullable(),
  body_md: z.string().nullable(),
  body_json: z.unknown().optional(),
  created_at: timestamp,
  updated_at: timestamp,
  project_key: z.string().nullable(),
  visibility: z.enum(VISIBILITIES),
  position: z.number().int(),
  version: z.number().int(),
  word_count: z.number().int(),
  created_by: id,
  updated_by: id,
  url: z.string(),
  archived_at: timestamp.nullable(),
});
export type DocView = z.output<typeof DocView>;

export const DocDeletedView = part(aboutDeletedDoc, { id, deleted: z.literal(true), archived_at: timestamp });

/** A doc with its project and parent, as reads return it. */
export type DocRow = WithProject & {
  id: string;
  title: string;
  project_key: string | null;
  parent_id: string | null;
  /** The only person who sees the parent, if that is private. */
  parent_owner_id: string | null;
  branch: string;
  icon: string | null;
  body_md: string | null;
  /** JSON text. */
  body_json: string | null;
  visibility: Visibility;
  owner_id: string;
  position: number;
  word_count: number;
  version: number;
  archived_at: string | null;
  created_by: string;
  updated_by: string;
  created_at: string;
  updated_at: string;
};

/** Who sees a doc, among the people who see its project. */
export const audienceOf = ({ visibility, owner_id, project_id }: DocRow): Audience => {
  if (visibility === "private") return { people: [owner_id] };
  return project_id === null ? "members" : "everyone";
};

/** The only person who sees the doc; null if it is not private. */
export const onlyReader = ({ visibility, owner_id }: Pick<DocRow, "visibility" | "owner_id">): string | null =>
  visibility === "private" ? owner_id : null;

/**
 * A doc as one person sees it.
 * @param reader null for everybody who sees the doc, as in events. They do not see the id of a private parent.
 */
export function docView(ctx: Pick<InWorkspace, "settings" | "workspace">, row: DocRow, reader: string | null): DocView {
  return {
    ...row,
    parent_id: parentFor(row, reader),
    body_json: row.body_json === null ? null : parseExact(row.body_json),
    url: `${ctx.settings.baseUrl}/w/${ctx.workspace.slug}/docs/${row.id}`,
  };
}

const parentFor = ({ parent_id, parent_owner_id }: DocRow, reader: string | null): string | null =>
  parent_owner_id === null || parent_owner_id === reader ? parent_id : null;

/** Id of the doc's parent, if the caller sees that. */
export const shownParent = (ctx: InWorkspace, row: DocRow): string | null => parentFor(row, ctx.principal.user_id);

/** The doc as the caller sees it. */
export const ownView = (ctx: InWorkspace, row: DocRow): DocView => docView(ctx, row, ctx.principal.user_id);

/** Longer JSON is left out of events. */
const MAX_EVENT_JSON = 32_768;
/** What Postgres cannot store in an event: NUL and lone surrogates, as JSON text spells them. */
const UNSTORABLE = /\\u(0000|d[89a-f])/i;

/** The doc as its events show it, to everybody who sees it. */
export function eventView(ctx: InWorkspace, row: DocRow): DocView {
  const { body_json } = row;
  const leftOut = body_json !== null && (body_json.length > MAX_EVENT_JSON || UNSTORABLE.test(body_json));
  const { body_json: shown, ...rest } = docView(ctx, leftOut ? { ...row, body_json: null } : row, onlyReader(row));
  return DocView.parse(leftOut ? rest : { ...rest, body_json: shown });
}
