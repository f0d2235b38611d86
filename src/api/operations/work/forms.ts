import { SAMPLE } from "../../../domain/kernel/described.ts";
import { deletedView } from "../../../domain/kernel/wire.ts";
import {
  byId,
  change,
  create,
  fieldsPage,
  find,
  listPage,
  read,
  remove,
  rotateLink,
} from "../../../domain/work/forms/forms.ts";
import { FormCreateInput, FormPatchInput, FormSubmissionCreateInput } from "../../../domain/work/forms/inputs.ts";
import { preparePassword } from "../../../domain/work/forms/new-password.ts";
import * as submissions from "../../../domain/work/forms/submissions.ts";
import { FormFieldView, FormSubmissionView, FormSummaryView, FormView } from "../../../domain/work/forms/view.ts";
import { operation } from "../../engine/operation.ts";
import { resource } from "../../engine/resource.ts";

export const formOperations = [
  ...resource("P/forms", {
    id: "forms",
    view: FormView,
    read: "forms:read",
    write: "forms:write",
    entity: byId,
    list: {
      summary: "List a project's forms, newest first",
      returns: FormSummaryView,
      handle: ({ ctx, paging }) => listPage(ctx, paging),
    },
    create: {
      summary: "Create a form; it is a draft unless the body sets another status",
      about:
        "A published form with `public_enabled` has a page at `share_url`, where anybody can submit it, within `access_mode` and the password. Submitting creates an issue with the form's defaults; fields with a `mapping` set its title, description or priority, those with a `custom_field_id` that custom field, and all others are listed in the description. A key needs `issues:write` as well. The form keeps the limits of the key that last defined it, and takes no more answers when that key ends (`disabled_reason`).",
      body: FormCreateInput,
      example: {
        title: "Report a problem",
        description: "What broke?",
        issue_type: "bug",
        public_enabled: true,
        fields: [
          { kind: "short_text", label: "Summary", mapping: "title", required: true, max_length: 100 },
          { kind: "rating", label: "How bad?", min_value: 1, max_value: 5, help_text: "Five is worst" },
          { kind: "select", label: "Where?", options: ["Web", "Phone"], default_value: "Web" },
          { kind: "url", label: "Address", visibility_rule: { field: 2, op: "is", value: "Web" } },
        ],
      },
      prepare: ({ ctx, body }) => preparePassword(ctx, body.password),
      handle: ({ ctx, body, prepared }) => create(ctx, body, prepared),
    },
    get: { summary: "Read a form with its fields in order", row: read },
    patch: {
      summary: "Change a form, or publish it; `fields` replaces all fields",
      about:
        "A field in `fields` that names its `id` keeps its answers; fields that are left out are removed. `public_enabled: false` closes the page and keeps its address.",
      body: FormPatchInput,
      example: {
        title: "Report a bug",
        status: "published",
        access_mode: "invited",
        allowed_emails: ["ann@example.com"],
        accent_color: "#0f766e",
        close_at: "2030-01-01T00:00:00.000Z",
        response_limit: 10,
        confirmation_mode: "redirect",
        redirect_url: "https://example.com/thanks",
        password: "secret",
        fields: [{ kind: "checkbox", label: "Sure?", required: true }],
      },
      prepare: ({ ctx, body, params }) => preparePassword(ctx, body.password, params.id ?? ""),
      handle: ({ ctx, on, body, prepared }) => change(ctx, on, body, prepared),
    },
    remove: {
      summary: "Delete a form; its public page is gone at once, its submissions stay",
      about: "Issues that the form has created stay.",
      returns: deletedView("form"),
      handle: ({ ctx, on }) => remove(ctx, on),
    },
  }),
  operation({
    id: "forms.fields",
    route: "GET P/forms/{id}/fields",
    summary: "List a form's fields in order",
    needs: "forms:read",
    within: find,
    returns: FormFieldView,
    shape: "list",
    handle: async ({ parent, paging }) => fieldsPage(parent, paging),
  }),
  operation({
    id: "forms.submissions",
    route: "GET P/forms/{id}/submissions",
    summary: "List a form's submissions, newest first; for members",
    about: "`answers` are as sent, by the id of the field; `GET …/forms/{id}/fields` names the fields.",
    needs: "forms:read",
    within: find,
    returns: FormSubmissionView,
    shape: "list",
    handle: ({ ctx, parent, paging }) => submissions.listPage(ctx, parent, paging),
  }),
  operation({
    id: "forms.submit",
    route: "POST P/forms/{id}/submissions",
    summary: "Submit a form, which creates an issue; only admins may submit unpublished forms",
    about:
      "Answers are checked like on the public page. `created_issue_key` names the new issue. The limit of responses, the closing time and one answer for each address hold here too (409 `form_closed`, `already_answered`).",
    needs: "issues:write",
    within: submissions.lock,
    body: FormSubmissionCreateInput,
    example: { answers: { [SAMPLE.field]: "The page stays blank" }, submitter_email: "grace@example.com" },
    returns: FormSubmissionView,
    status: 201,
    handle: ({ ctx, parent, body }) => submissions.create(ctx, parent, body),
  }),
  operation({
    id: "forms.submission",
    route: "GET P/forms/{id}/submissions/{sid}",
    summary: "Read a submission, also of a deleted form; for members",
    needs: "forms:read",
    within: submissions.formId,
    on: submissions.byId,
    returns: FormSubmissionView,
    handle: async ({ ctx, on }) => submissions.read(ctx, on),
  }),
  operation({
    id: "forms.rotate-link",
    route: "POST P/forms/{id}/rotate-link",
    summary: "Replace the address of a form's public page; the earlier address stops working at once",
    about: "Use it when the address has reached people who should not have it.",
    needs: "forms:write",
    on: byId,
    returns: FormView,
    handle: ({ ctx, on }) => rotateLink(ctx, on),
  }),
];
