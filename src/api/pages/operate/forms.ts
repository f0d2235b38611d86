import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import type { FormSummaryView, FormView } from "../../../domain/work/forms/view.ts";
import { textField } from "../kit/fields.ts";
import { adding, badge, empty, pager } from "../kit/pieces.ts";
import { table } from "../kit/tables.ts";
import { ago } from "../kit/times.ts";
import { named, PROJECT, pathOf, projectHead, readProject } from "../project/head.ts";
import { actions } from "../site/actions.ts";
import { onceField } from "../site/once.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";

/** The forms of a project. */

export function formsPage(site: Site): void {
  site.workspace("get", `${PROJECT}/forms`, (call) => show(site, call));
  actions(site, `${PROJECT}/forms`, (call, refusal) => show(site, call, refusal), {
    create: {
      operation: "forms.create",
      input: (call) => ({
        params: named(call),
        body: {
          title: call.form.text("title"),
          public_enabled: true,
          fields: [{ kind: "short_text", label: "Summary", mapping: "title", required: true }],
        },
      }),
      to: (call, { id }: FormView) => `${pathOf(call)}/forms/${id}`,
      said: "The form is created as a draft. Add its questions, then publish it.",
    },
  });
}

export function formState({ status, accepting }: FormSummaryView): Html {
  if (status === "draft") return badge("Draft", "quiet");
  return accepting ? badge("Open", "good") : badge("Closed", "quiet");
}

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const base = `${pathOf(call)}/forms`;
  const [project, { data, next }] = await Promise.all([
    readProject(site, call),
    site.list<FormSummaryView>(call, "forms.list", {
      params: named(call),
      query: { limit: "50", cursor: call.query("cursor") },
    }),
  ]);
  return {
    title: `Forms of ${project.name}`,
    status: refusal?.status ?? 200,
    body: html`${projectHead(call, project, "/forms")}${refusal ? problemBox(refusal) : ""}
      ${
        data.length === 0
          ? empty("No forms yet", "With a form people report things without an account. Each answer becomes an issue.")
          : table(
              ["Form", "State", "Answers", "Changed"],
              data.map((one) => [
                html`<a class="broken" href="${base}/${one.id}">${one.title}</a>`,
                formState(one),
                counted(one.submission_count, "answer"),
                ago(one.updated_at, call.here.now),
              ]),
            )
      }
      ${pager(next && `${base}?cursor=${next}`, { first: base, isFirst: call.query("cursor") === "", what: "forms" })}
      ${
        isAdmin(call.here.principal.role)
          ? adding(
              "New form",
              html`<form method="post" action="${base}/create">${onceField()}${textField({ name: "title", label: "Title", required: true, max: 200, value: call.form.text("title"), refusal })}<button>Create the form</button></form>`,
              { open: refusal !== undefined },
            )
          : ""
      }`,
  };
}
