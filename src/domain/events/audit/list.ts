import type { InWorkspace } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { firstIdAt } from "../../kernel/ids.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { closest } from "../../kernel/text.ts";
import { type AuditFilter, readAudit } from "./read.sql.ts";
import { type AuditEntryView, type AuditQuery, auditEntryView } from "./view.ts";

/** A page of the audit log, newest first. @throws Refusal invalid_parameter */
export async function listPage(ctx: InWorkspace, query: AuditQuery, types: readonly string[], paging: Paging) {
  const filter = filterOf(ctx, query, types);
  const before = paging.after ? String(paging.after[0]) : filter.before;
  const rows = await readAudit(ctx.db, ctx.workspace.id, { ...filter, before }, paging.limit + 1);
  const page = pageOf(rows, paging, ({ id }) => [id]);
  return { rows: page.rows.map(auditEntryView), next_cursor: page.next_cursor };
}

/** Entries that an export reads at a time. */
const AT_ONCE = 500;

/**
 * All matching entries, newest first, page by page. Each page is a read of its own, so an export holds neither a connection
 * nor a snapshot while its client reads.
 * @throws Refusal invalid_parameter
 */
export async function* pagesOf(
  ctx: InWorkspace,
  query: AuditQuery,
  types: readonly string[],
): AsyncGenerator<AuditEntryView[]> {
  let filter = filterOf(ctx, query, types);
  for (;;) {
    const rows = await readAudit(ctx.db, ctx.workspace.id, filter, AT_ONCE);
    yield rows.map(auditEntryView);
    if (rows.length < AT_ONCE) return;
    filter = { ...filter, before: rows.at(-1)!.id };
  }
}

function filterOf(ctx: InWorkspace, query: AuditQuery, types: readonly string[]): AuditFilter {
  const me = (id: string | undefined) => (id === "me" ? ctx.principal.user_id : (id ?? null));
  if (query.key_id === "me") refuseParameter("key_id", "me", "key_id must be the id of a key.");
  const kept = Date.parse(ctx.now) - ctx.settings.auditRetentionDays * 86_400_000;
  const since = query.since ? Date.parse(query.since) : 0;
  return {
    actorId: me(query.actor_id),
    keyId: query.key_id ?? null,
    types: query.type === undefined ? null : typesNamed(query.type, types),
    // Older entries wait for the clean-up, which deletes whole months.
    from: idAt(Math.max(since, kept)),
    before: query.until ? idAt(Date.parse(query.until)) : LAST_ID,
  };
}

const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
/** A UUIDv7 has no times before 1970. */
const idAt = (time: number): string => firstIdAt(new Date(Math.max(0, time)));

/** A type, or all types of a group such as `member.*`. */
function typesNamed(text: string, types: readonly string[]): string[] | null {
  const wanted = text.trim().toLowerCase();
  if (wanted === "*") return null;
  const isGroup = wanted.endsWith(".*");
  const found = types.filter((type) => (isGroup ? type.startsWith(wanted.slice(0, -1)) : type === wanted));
  if (found.length > 0) return found;
  const groups = [...new Set(types.map((type) => `${type.slice(0, type.lastIndexOf("."))}.*`))];
  const meant = closest(wanted, isGroup ? groups : types);
  return refuseParameter("type", text, `There is no such type of entry.${meant ? ` Did you mean ${meant}?` : ""}`);
}

const refuseParameter = (parameter: string, value: string, message: string): never =>
  refuse("invalid_parameter", { message, parameter, value });
