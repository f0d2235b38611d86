import type { InProject } from "../../kernel/context.ts";
import { refuse, refuseField, refuseReference } from "../../kernel/errors.ts";
import { readId, referenceKey } from "../../kernel/ids.ts";
import { columnsOf } from "../issues/board.sql.ts";
import { type Found, find } from "../issues/references.sql.ts";
import type { FormPatchInput } from "./inputs.ts";
import type { FormSettings } from "./rows.ts";

/** Settings of a form, except its fields and password. */

export const NEW_FORM: Omit<FormSettings, "title"> = {
  description: null,
  status: "draft",
  issue_type: "task",
  priority: "medium",
  success_message: null,
  accent_color: null,
  header_text: null,
  show_project_header: true,
  close_at: null,
  response_limit: null,
  one_per_email: false,
  confirmation_mode: "message",
  redirect_url: null,
  default_assignee_id: null,
  default_label_ids: [],
  default_sprint_id: null,
  default_status_id: null,
  access_mode: "anyone",
  allowed_emails: [],
  notify_submission: false,
  confirmation_email: false,
  public_enabled: false,
};

/** The scopes for the work of a form: each submission creates an issue. */
export const WORK = ["issues:write"] as const;

type SettingsInput = Omit<FormPatchInput, "fields" | "password">;

/**
 * Returns a form's settings after a body is applied.
 * @throws Refusal validation_failed, invalid_url, invalid_reference
 */
export async function resolveSettings(
  ctx: InProject,
  before: FormSettings,
  input: SettingsInput,
): Promise<FormSettings> {
  const sent = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const next = { ...before, ...sent } as FormSettings;
  for (const name of ["description", "success_message", "header_text"] as const) next[name] ||= null;
  next.accent_color = next.accent_color?.toLowerCase() ?? null;
  next.allowed_emails = [...new Set(next.allowed_emails)];
  if (input.redirect_url) checkAddress(input.redirect_url);
  if (next.confirmation_mode === "redirect" && next.redirect_url === null) {
    refuseField("/redirect_url", "required", "is required if confirmation_mode is redirect");
  }
  return { ...next, ...(await defaultsNamed(ctx, input)) };
}

function checkAddress(text: string): void {
  const url = URL.parse(text);
  if (url?.protocol === "https:" && url.username === "" && url.password === "" && !/[\s\p{Cc}]/u.test(text)) return;
  refuse("invalid_url", { message: "redirect_url must be an https address.", path: "/redirect_url" });
}

/** Looks up the form's defaults for new issues; returns those that exist. */
export const findDefaults = (
  ctx: InProject,
  wanted: { person?: string | null | undefined; labels: string[]; sprint?: string | null | undefined },
): Promise<Found> => {
  const { person, labels, sprint } = wanted;
  return find(
    ctx.db,
    { workspaceId: ctx.workspace.id, project: ctx.project, principal: ctx.principal },
    {
      people: person ? [person] : [],
      labels,
      issues: [],
      milestones: [],
      sprints: sprint ? [sprint] : [],
      releases: [],
    },
  );
};

/**
 * Returns the defaults for new issues as ids. Only defaults in the body are looked up. A stored default that was
 * deleted stays until it is changed.
 */
async function defaultsNamed(ctx: InProject, input: SettingsInput): Promise<Partial<FormSettings>> {
  const { default_assignee_id: person, default_label_ids: labels = [], default_sprint_id: sprint } = input;
  const found = await findDefaults(ctx, { person, labels, sprint });
  const named: Partial<FormSettings> = {};
  if (person) {
    named.default_assignee_id =
      found.people.get(referenceKey(person))?.id ?? refuseReference("/default_assignee_id", person);
  }
  if (sprint && !found.planning.sprint_id.has(sprint)) refuseReference("/default_sprint_id", sprint);
  if (sprint === "") refuseReference("/default_sprint_id", sprint);
  if (input.default_label_ids) {
    const ids = labels.map(
      (ref, index) => found.labels.get(referenceKey(ref))?.id ?? refuseReference(`/default_label_ids/${index}`, ref),
    );
    named.default_label_ids = [...new Set(ids)];
  }
  await checkColumn(ctx, input.default_status_id);
  return named;
}

async function checkColumn(ctx: InProject, id: string | null | undefined): Promise<void> {
  if (id === null || id === undefined) return;
  const columns = readId(id) ? await columnsOf(ctx.db, ctx.workspace.id, ctx.project.id) : [];
  if (!columns.some((column) => column.id === id)) refuseReference("/default_status_id", id);
}
