import { hash } from "node:crypto";
import { Refusal, refuse } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { IssueView } from "../../../domain/work/issues/view.ts";
import { revisionTag } from "../../engine/etag.ts";
import { editForm } from "../kit/edit.ts";
import { hidden } from "../kit/fields.ts";
import { ago } from "../kit/times.ts";
import { notice } from "../site/layout.ts";
import { type PageAnswer, refusalOf, type Site, type WorkspaceCall } from "../site/site.ts";
import { findEditable } from "./custom-editable.ts";
import type { Editable } from "./editables.ts";
import { withMentions } from "./mentions.ts";
import { readOptions } from "./options.ts";
import type { About } from "./page.ts";
import { ISSUE, issuePathOf } from "./paths.ts";
import { at, type Shown } from "./read.ts";

/** Changing one thing of an issue. What somebody else has changed since the form was made is not overwritten. */

const TRIES = 4;

type Show = (call: WorkspaceCall, refusal?: Refusal, conflict?: boolean) => Promise<PageAnswer>;

export function changeForm(site: Site, show: Show): void {
  site.workspace("post", `${ISSUE}/change`, async (call): Promise<PageAnswer> => {
    const name = call.form.text("field");
    const editable = (await findEditable(site, call, name)) ?? refuse("not_found");
    try {
      const stored = await store(site, call, editable);
      if (!stored) return show(call, undefined, true);
      return { to: `${issuePathOf(call)}#fact-${name}`, said: `${editable.label}: saved.` };
    } catch (error) {
      return show(call, refusalOf(error));
    }
  });
}

/**
 * Stores what was entered, if nobody has changed the same thing since the form was made. Other changes of the issue do
 * not matter: then it is tried again on top of them.
 */
async function store(site: Site, call: WorkspaceCall, editable: Editable): Promise<boolean> {
  const params = at(call);
  for (let tries = 1; ; tries++) {
    const issue = await site.perform<IssueView>(call, "issues.get", { params });
    if (call.form.text("mark") !== markOf(editable, issue)) return false;
    const ifMatch = revisionTag(issue) ?? "";
    try {
      const body = editable.body(call.form, issue) as { description_md?: string | null };
      if (body.description_md) body.description_md = await withMentions(site, call, body.description_md);
      await site.perform(call, "issues.patch", { params, ifMatch, body });
      return true;
    } catch (error) {
      if (!(error instanceof Refusal && error.code === "precondition_failed") || tries === TRIES) throw error;
    }
  }
}

/** Tells whether what a form shows has changed. */
const markOf = ({ of }: Editable, issue: IssueView): string =>
  hash("sha1", JSON.stringify(of(issue) ?? null), "base64url").slice(0, 11);

/** The form that is open, if one is. */
export type Editing = { name: string; editable: Editable; form: (theirs: Html | string) => Html };

export async function readEditing(
  site: Site,
  call: WorkspaceCall,
  shown: Shown,
  conflict: boolean,
): Promise<Editing | null> {
  const wasSent = call.form.text("field") !== "";
  const name = wasSent ? call.form.text("field") : call.query("edit");
  if (name === "") return null;
  const editable = await findEditable(site, call, name);
  if (!editable) return null;
  const { issue } = shown;
  const options = await readOptions(site, call, editable.choices, shown);
  const inputs = editable.inputs({
    issue,
    options,
    value: (field, stored) => (wasSent ? call.form.text(field) : String(stored ?? "")),
    values: (field, stored) => (wasSent ? call.form.all(field) : stored),
  });
  const path = issuePathOf(call);
  const form = (theirs: Html | string) =>
    editForm(`${path}/change`, {
      fields: html`${hidden("field", name)}${hidden("mark", markOf(editable, issue))}`,
      before: conflict ? changedBy(call, shown, editable, theirs) : "",
      inputs,
      cancel: `${path}#fact-${name}`,
    });
  return { name, editable, form };
}

function changedBy({ here }: WorkspaceCall, { history }: Shown, { fields }: Editable, theirs: Html | string): Html {
  const line = history.data.find(({ payload }) => fields.includes(payload.field ?? ""));
  return notice(
    "bad",
    html`<p><strong>${line?.actor_name ?? "Somebody"} changed this ${line ? ago(line.created_at, here.now) : "meanwhile"}.</strong>
      Nothing was overwritten. Now it is:</p><div class="theirs">${theirs}</div><p>What you entered is below. Saving it replaces theirs.</p>`,
  );
}

/** The way to the form of a fact. */
export const editLink = ({ base, mayWrite }: About, name: string, label: string): Html | string =>
  mayWrite
    ? html`<a class="pencil" href="${base}?edit=${name}#fact-${name}" aria-label="Change: ${label}"><svg class="mark" width="16" height="16" aria-hidden="true"><use href="/assets/icons.svg#pencil"/></svg></a>`
    : "";
