import { randomBytes } from "node:crypto";
import { isAdminsKeyLive, requireScopes, type SetUpBy, setUpBy, takeOver } from "../../access/identity/set-up-by.ts";
import { record, recordChange } from "../../events/record.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { changesTo } from "../../kernel/difference.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { lockEntity } from "../../kernel/locks.sql.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { enforcePlanLimit } from "../../kernel/plan-limit.ts";
import { isEditor } from "../../kernel/roles.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { FormEntity } from "./entities.ts";
import { formCreated, formDeleted, formUpdated } from "./events.ts";
import { countForms, findForm, listForms } from "./forms.sql.ts";
import type { FormCreateInput, FormPatchInput } from "./inputs.ts";
import { resolveFields } from "./resolve-fields.ts";
import type { FormField, FormRow } from "./rows.ts";
import { NEW_FORM, resolveSettings, WORK } from "./settings.ts";
import { type FormView, fieldViews, formView, summaryView } from "./view.ts";

/** A project's forms. Submissions and changes lock the form's row first and boards after it. */

/** Returns a page of forms, newest first. */
export async function listPage(ctx: InProject, paging: Paging) {
  const rows = await listForms(ctx, paging.after, paging.limit + 1);
  const page = pageOf(rows, paging, (row) => [row.created_at, row.id]);
  return { rows: page.rows.map((row) => summaryView(ctx, row)), next_cursor: page.next_cursor };
}

/** Returns a form that is not deleted. */
export async function find(ctx: InProject, text: string): Promise<FormRow | null> {
  const id = readId(text);
  return id ? findForm(ctx, id) : null;
}

export async function read(ctx: InProject, text: string): Promise<FormView | null> {
  const form = await find(ctx, text);
  // Only roles that may read submissions see the invited addresses of strangers.
  return form && formView(ctx, isEditor(ctx.principal.role) ? form : { ...form, allowed_emails: [] });
}

/** Returns a page of a form's fields, in order. Fields are few, and are read with their form. */
export function fieldsPage({ fields }: { fields: FormField[] }, paging: Paging) {
  const views = fieldViews(fields);
  const [position = -1, id = ""] = paging.after ?? [];
  // Continues after the last field seen, at its present position.
  const seen = views.findIndex((field) => field.id === id);
  const from = seen === -1 ? Number(position) : seen;
  return pageOf(views.slice(from + 1, from + 2 + paging.limit), paging, (field) => [field.position, field.id]);
}

/** Locks a form of the project and returns it. */
export async function byId(ctx: InProject & Writing, text: string): Promise<FormEntity | null> {
  const id = readId(text);
  return id ? lockEntity(ctx, FormEntity, { id, project_id: ctx.project.id, deleted_at: null }) : null;
}

/** @throws Refusal insufficient_scope, plan_limit_reached; see resolveFields and resolveSettings */
export async function create(
  ctx: InProject & Writing,
  input: FormCreateInput,
  password_hash: string | null,
): Promise<FormView> {
  const { fields, password: _, title, ...rest } = input;
  requireScopes(ctx.principal, WORK, "A form");
  const settings = await resolveSettings(ctx, { ...NEW_FORM, title }, rest);
  await enforcePlanLimit(ctx, "forms_per_project", () => countForms(ctx));
  const resolved = await resolveFields(ctx, [], fields ?? []);
  const form = ctx.em.create(FormEntity, {
    ...settings,
    ...newToken(ctx),
    id: newId(),
    workspace_id: ctx.workspace.id,
    project_id: ctx.project.id,
    fields: resolved,
    password_hash,
    submission_count: 0,
    created_by: ctx.principal.user_id,
    ...setUpBy(ctx.principal),
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  await ctx.em.flush();
  const view = shown(ctx, form, false);
  record(ctx, formCreated, view);
  return view;
}

/** Settings that have no part in the issues that a form creates. */
const TEXTS: readonly string[] = ["title", "description", "header_text", "success_message", "accent_color"];

/**
 * Changes a form. Who redefines it takes it over, so it never has rights that its last author lacked; who opens it does so
 * if it reaches further than the caller, or if its key has ended. A call that changes nothing records nothing.
 * @throws Refusal insufficient_scope; see resolveFields and resolveSettings
 */
export async function change(
  ctx: InProject & Writing,
  form: FormEntity,
  input: FormPatchInput,
  newHash: string | null,
): Promise<FormView> {
  const { fields, password, ...rest } = input;
  const hasEnded = !(await isAdminsKeyLive(ctx, form));
  const before = shown(ctx, form, hasEnded);
  const settings = await resolveSettings(ctx, rowOf(form), rest);
  const secret = otherPassword(form, password, newHash);
  const next = {
    ...settings,
    ...(fields && { fields: await resolveFields(ctx, form.fields, fields) }),
    ...secret,
  };
  const changes = changesTo(form, next);
  const by = await takenOver(ctx, form, changes, { ...input, hasEnded });
  if (Object.keys({ ...changes, ...by }).length === 0) return before;

  Object.assign(form, changes, by, { updated_at: ctx.now });
  await ctx.em.flush();
  const view = shown(ctx, form, hasEnded && Object.keys(by).length === 0);
  // Views only show that there is a password, not its hash.
  recordChange(ctx, formUpdated, before, view, { unseen: "password_hash" in secret ? ["has_password"] : [] });
  return view;
}

/** The credential of a form after a change; empty if it keeps its own. */
async function takenOver(
  ctx: InProject,
  form: FormEntity,
  changes: Partial<FormEntity>,
  { status, public_enabled, hasEnded }: FormPatchInput & { hasEnded: boolean },
): Promise<Partial<SetUpBy>> {
  const redefined = Object.keys(changes).some(
    (name) => !TEXTS.includes(name) && name !== "status" && name !== "public_enabled",
  );
  if (!redefined && status !== "published" && public_enabled !== true) return {};
  requireScopes(ctx.principal, WORK, "A form");
  const { created_by: _, ...by } = await takeOver(ctx, form, { redefined: redefined || hasEnded });
  return by;
}

/** The form's public page is gone at once. Its submissions stay. */
export async function remove(ctx: InProject & Writing, form: FormEntity) {
  const last = shown(ctx, form, !(await isAdminsKeyLive(ctx, form)));
  Object.assign(form, { deleted_at: ctx.now, updated_at: ctx.now });
  await ctx.em.flush();
  record(ctx, formDeleted, last);
  return { id: form.id, deleted: true as const };
}

/** Replaces the address of a form's public page. The earlier address stops working at once. */
export async function rotateLink(ctx: InProject & Writing, form: FormEntity): Promise<FormView> {
  const hasEnded = !(await isAdminsKeyLive(ctx, form));
  const before = shown(ctx, form, hasEnded);
  Object.assign(form, newToken(ctx), { updated_at: ctx.now });
  await ctx.em.flush();
  const view = shown(ctx, form, hasEnded);
  recordChange(ctx, formUpdated, before, view);
  return view;
}

function newToken({ ports }: InProject) {
  const token = randomBytes(32).toString("base64url");
  return { token_hash: hashSecret(token), token_sealed: ports.sealer.seal(token) };
}

function otherPassword(
  { password_hash = null }: FormEntity,
  wanted: string | null | undefined,
  newHash: string | null,
) {
  return wanted === undefined || newHash === password_hash ? {} : { password_hash: newHash };
}

const shown = (ctx: InProject, form: FormEntity, has_ended: boolean): FormView =>
  formView(ctx, { ...rowOf(form), has_ended });

/** A new entity has undefined instead of null until it is read again. */
function rowOf(form: FormEntity): Omit<FormRow, "has_ended"> {
  const { description = null, success_message = null, accent_color = null, header_text = null, ...more } = form;
  const { close_at = null, response_limit = null, redirect_url = null, password_hash = null, ...rest } = more;
  const { default_assignee_id = null, default_sprint_id = null, default_status_id = null, ...others } = rest;
  const { key_id = null, key_scopes = null, ...plain } = others;
  return {
    ...plain,
    ...{ key_id, key_scopes },
    ...{ description, success_message, accent_color, header_text, close_at, response_limit, redirect_url },
    ...{ password_hash, default_assignee_id, default_sprint_id, default_status_id },
  };
}
