import type { Refusal } from "../../../domain/kernel/errors.ts";
import { html } from "../../../domain/kernel/html.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import { radios, select, textArea, textField, tick } from "../kit/fields.ts";
import { crumbs, fold } from "../kit/pieces.ts";
import { dayOf, long, orAbsent, orNull, valuesOf } from "../kit/typed.ts";
import { actions } from "../site/actions.ts";
import { onceField } from "../site/once.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { TEMPLATES } from "./templates.ts";
import { UNITS } from "./units.ts";

/** Creates a project: its name and what its board looks like. Everything else can wait. */

const PATH = "/w/:slug/projects/new";

export function newProjectPage(site: Site): void {
  site.workspace("get", PATH, async (call) => show(call));
  actions(site, PATH, async (call, refusal) => show(call, refusal), {
    create: {
      operation: "projects.create",
      input: (call) => ({ body: bodyOf(call) }),
      to: ({ here }, { slug }: ProjectView) => `/w/${here.workspace.slug}/p/${slug}`,
      said: ({ name }: ProjectView) => `${name} is created. Add its first issue to a column.`,
    },
  });
}

const bodyOf = ({ form }: WorkspaceCall) => ({
  name: form.text("name"),
  key: orAbsent(form.text("key")),
  description_md: orNull(long(form.text("description_md"))),
  icon: orNull(form.text("icon")),
  estimation_unit: orAbsent(form.text("estimation_unit")),
  scoped: form.text("scoped") !== "",
  start_at: dayOf(form, "start_at"),
  target_at: dayOf(form, "target_at"),
  statuses: TEMPLATES.find(({ id }) => id === form.text("template"))?.columns,
});

/** Fields that are folded away. The fold is open if one of them was filled in. */
const RARE = ["key", "description_md", "icon", "start_at", "target_at", "scoped"];

function show(call: WorkspaceCall, refusal?: Refusal): PageAnswer {
  const { here, form } = call;
  const values = valuesOf(form, refusal);
  const base = `/w/${here.workspace.slug}/projects`;
  const isOpen = RARE.some((name) => form.text(name) !== "");
  return {
    title: "New project",
    status: refusal?.status ?? 200,
    body: html`${crumbs([base, "Projects"])}<h1>New project</h1>${refusal ? problemBox(refusal) : ""}
      <form class="narrow" method="post" action="${base}/new/create">${onceField()}
        ${textField({ name: "name", label: "Name", value: values.of("name", ""), required: true, max: 100, autofocus: !refusal, refusal })}
        ${radios({ name: "template", label: "Columns of its board", value: values.of("template", TEMPLATES[0].id), options: TEMPLATES.map(({ id, label, hint }) => ({ value: id, label, hint })), refusal })}
        ${fold(
          "Key, description and dates",
          html`${textField({ name: "key", label: "Key", value: values.of("key", ""), max: 10, hint: "Begins the names of its issues, as in WEB-12. It can never change. If empty, it is made from the name.", refusal })}
          ${textArea({ name: "description_md", label: "Description", value: values.of("description_md", ""), rows: 4, refusal })}
          ${textField({ name: "icon", label: "Symbol", value: values.of("icon", ""), max: 32, hint: "An emoji before the name.", refusal })}
          <div class="row">${textField({ name: "start_at", label: "Begins", type: "date", value: values.of("start_at", ""), refusal })}
          ${textField({ name: "target_at", label: "Should be done by", type: "date", value: values.of("target_at", ""), refusal })}</div>
          ${select({ name: "estimation_unit", label: "Estimates", required: true, value: values.of("estimation_unit", "time"), options: UNITS, refusal })}
          ${tick({ name: "scoped", label: "Only its members see it", checked: values.on("scoped", false), hint: "Owners and admins of the workspace see it, too.", refusal })}`,
          { open: isOpen },
        )}
        <div class="row"><button>Create the project</button> <a href="${base}">Cancel</a></div></form>`,
  };
}
