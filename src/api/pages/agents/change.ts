import type { AgentDetailView } from "../../../domain/access/agents/view.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { textArea, textField, tick } from "../kit/fields.ts";
import { fold } from "../kit/pieces.ts";
import { long, orAbsent, orNull, valuesOf } from "../kit/typed.ts";
import { revisionField } from "../site/actions.ts";
import type { Form } from "../site/forms.ts";
import type { WorkspaceCall } from "../site/site.ts";

/** Who an agent is, and which fields of issues it may change. */

export const changedAgent = ({ form }: WorkspaceCall) => ({
  name: form.text("name"),
  description: orNull(long(form.text("description"))),
  handle: orAbsent(form.text("handle")),
  kind: form.text("kind"),
  field_policy:
    form.text("all_fields") === ""
      ? form
          .text("field_policy")
          .split(/[\s,]+/)
          .filter(Boolean)
      : null,
});

/** @param refusal of this form */
export function changeForm(agent: AgentDetailView, path: string, form: Form, refusal: Refusal | undefined): Html {
  const values = valuesOf(form, refusal);
  const common = { prefix: "change-", refusal };
  return fold(
    "Change the agent",
    html`<form method="post" action="${path}/change" class="narrow">${revisionField(agent)}
      ${textField({ ...common, name: "name", label: "Name", required: true, max: 60, value: values.of("name", agent.name) })}
      ${textArea({ ...common, name: "description", label: "What it is for", rows: 3, max: 2000, value: values.of("description", agent.description) })}
      <div class="pairs">${textField({ ...common, name: "handle", label: "Name in texts", max: 40, value: values.of("handle", agent.handle), hint: "After the @ of mentions." })}
      ${textField({ ...common, name: "kind", label: "Kind", required: true, max: 40, value: values.of("kind", agent.kind), hint: "Its provider, such as claude." })}</div>
      ${tick({ ...common, name: "all_fields", label: "It may change all fields of issues", checked: values.on("all_fields", agent.field_policy === null) })}
      ${textField({ ...common, name: "field_policy", label: "If not, only these fields", value: values.of("field_policy", agent.field_policy?.join(" ")), hint: "Names such as status and labels, separated by spaces." })}
      <button class="second">Save</button></form>`,
    { open: refusal !== undefined },
  );
}
