import { PRIORITIES, PRIORITY_SYNONYMS } from "../../access/identity/issue-row.ts";
import { categoryNamed } from "../../kernel/categories.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { refuse, refuseField, refuseReference } from "../../kernel/errors.ts";
import { readId, referenceKey } from "../../kernel/ids.ts";
import { readTimezone } from "../../kernel/locale.ts";
import { own } from "../../kernel/own.ts";
import { findPeople } from "../../tenancy/workspaces/members.sql.ts";
import { IssueView } from "../../work/issues/view.ts";
import { customFieldOf, FIELD_NAMES } from "../conditions/fields.ts";
import { checkFilters } from "./check-filters.ts";
import { columnsAmong, fieldsAmong, formsAmong, labelsAmong, timezoneOf, workflowsAmong } from "./config.sql.ts";
import { problemOfSchedule } from "./schedule.ts";
import { type Parameter, TRIGGERS, type Trigger, type TriggerConfig } from "./triggers.ts";

/** The parameters of a trigger: which it takes, and the objects that they name. */

const DEFAULT_HOURS = 24;

/** Where the automation applies: one project, or null for all. */
type Place = { projectId: string | null };
type Read = (ctx: InWorkspace, config: TriggerConfig, at: Place) => Promise<TriggerConfig>;

/**
 * Checks the parameters of a trigger, and replaces references by ids. Missing ones that have a default get it.
 * @throws Refusal validation_failed, invalid_reference
 */
export async function readConfig(
  ctx: InWorkspace,
  trigger: Trigger,
  config: TriggerConfig,
  at: Place,
): Promise<TriggerConfig> {
  checkNames(trigger, config);
  const given = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined)) as TriggerConfig;
  return { ...given, ...(await own(READERS, trigger)?.(ctx, given, at)) };
}

/** Each trigger takes only its own parameters. */
function checkNames(trigger: Trigger, config: TriggerConfig) {
  const taken: readonly Parameter[] = TRIGGERS[trigger];
  const takes = taken.length === 0 ? "no parameters" : taken.join(", ");
  const errors = (Object.keys(config) as Parameter[])
    .filter((name) => config[name] !== undefined && !taken.includes(name))
    .map((name) => ({
      path: `/trigger_config/${name}`,
      code: "not_allowed",
      message: `is not a parameter of ${trigger}, which takes ${takes}`,
    }));
  if (errors.length > 0) refuse("validation_failed", { message: `trigger_config: ${errors[0]!.message}.`, errors });
}

const READERS: Partial<Record<Trigger, Read>> = {
  "issue.status_changed": async (ctx, { from, to }, at) => ({
    ...(from && { from: await statuses(ctx, "from", from, at) }),
    ...(to && { to: await statuses(ctx, "to", to, at) }),
  }),
  "issue.priority_changed": async (_, { from, to }) => ({
    ...(from && { from: priorities("from", from) }),
    ...(to && { to: priorities("to", to) }),
  }),
  "issue.assigned": readPerson,
  "issue.unassigned": readPerson,
  "comment.added": async (_, { by = "any" }) => ({ by }),
  "issue.updated": async (ctx, { fields }, at) => (fields ? { fields: await fieldNames(ctx, fields, at) } : {}),
  "issue.labelled": async (ctx, { label_ids }, at) =>
    label_ids ? { label_ids: await ids(ctx, "label_ids", label_ids, at, labelsAmong) } : {},
  "issue.due_soon": async (_, { hours_before = DEFAULT_HOURS }) => ({ hours_before }),
  "form.submitted": async (ctx, { form_id }, at) =>
    form_id ? { form_id: await id(ctx, "form_id", form_id, at, formsAmong) } : {},
  "workflow_run.finished": async (ctx, { workflow_id }, at) =>
    workflow_id ? { workflow_id: await id(ctx, "workflow_id", workflow_id, at, workflowsAmong) } : {},
  schedule: readSchedule,
};

async function readPerson(ctx: InWorkspace, { user_id }: TriggerConfig): Promise<TriggerConfig> {
  if (user_id === undefined) return {};
  const found = await findPeople(ctx.db, ctx.workspace.id, [user_id], ctx.principal, "workspace");
  return { user_id: found.get(referenceKey(user_id))?.id ?? refuseReference("/trigger_config/user_id", user_id) };
}

async function readSchedule(ctx: InWorkspace, { cron, timezone, filters }: TriggerConfig, { projectId }: Place) {
  if (cron === undefined) return refuseField("/trigger_config/cron", "required", "is required for schedule");
  const zone = timezone === undefined ? await timezoneOf(ctx.db, ctx.workspace.id) : readTimezone(timezone);
  if (!zone) {
    return refuseField("/trigger_config/timezone", "pattern", "must be a time zone (IANA), like Europe/Berlin");
  }
  const problem = problemOfSchedule({ cron, timezone: zone }, ctx.now);
  if (problem) refuseField("/trigger_config/cron", "pattern", problem);
  if (filters) await checkFilters(ctx, filters, projectId);
  return { cron, timezone: zone };
}

async function statuses(ctx: InWorkspace, name: Parameter, refs: string[], at: Place): Promise<string[]> {
  const read = refs.map((ref) => categoryNamed(ref) ?? readId(ref) ?? ref);
  const found = await columnsAmong(ctx.db, { workspaceId: ctx.workspace.id, ...at }, read);
  const unknown = read.findIndex((ref) => !categoryNamed(ref) && !found.has(referenceKey(ref)));
  if (unknown !== -1) refuseReference(`/trigger_config/${name}/${unknown}`, refs[unknown]);
  return read;
}

const plain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");

const priorities = (name: Parameter, refs: string[]): string[] =>
  refs.map((ref, n) => {
    const word = plain(ref);
    const priority = PRIORITIES.find((one) => one === word) ?? own<string>(PRIORITY_SYNONYMS, word);
    return priority ?? notAllowed(`/trigger_config/${name}/${n}`, PRIORITIES);
  });

/** Fields of an issue, as `changed` of its events names them or as conditions do. */
const WATCHED: readonly string[] = [
  ...new Set([...FIELD_NAMES.filter((name) => !/_/.test(name)), ...Object.keys(IssueView.shape)]),
].sort();

async function fieldNames(ctx: InWorkspace, names: string[], at: Place): Promise<string[]> {
  const custom = names.flatMap((name) => customFieldOf(name) ?? []);
  const found = await fieldsAmong(ctx.db, { workspaceId: ctx.workspace.id, ...at }, custom);
  return names.map((name, n) => {
    const field = customFieldOf(name);
    if (field === null) return WATCHED.includes(name) ? name : notAllowed(`/trigger_config/fields/${n}`, WATCHED);
    const id = readId(field);
    return id && found.has(id) ? `custom_field:${id}` : refuseReference(`/trigger_config/fields/${n}`, name);
  });
}

const notAllowed = (path: string, allowed: readonly string[]): never =>
  refuseField(path, "not_allowed", `must be one of ${allowed.join(", ")}`, { allowed });

type Lookup = typeof labelsAmong;

async function ids(ctx: InWorkspace, name: Parameter, refs: string[], at: Place, among: Lookup): Promise<string[]> {
  const found = await among(ctx.db, { workspaceId: ctx.workspace.id, ...at }, refs);
  return refs.map((ref, n) => {
    const id = readId(ref);
    return id && found.has(id) ? id : refuseReference(`/trigger_config/${name}/${n}`, ref);
  });
}

async function id(ctx: InWorkspace, name: Parameter, ref: string, at: Place, among: Lookup): Promise<string> {
  const found = readId(ref);
  const known = await among(ctx.db, { workspaceId: ctx.workspace.id, ...at }, [ref]);
  return found && known.has(found) ? found : refuseReference(`/trigger_config/${name}`, ref);
}
