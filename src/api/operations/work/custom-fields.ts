import { byId, change, create, listPage, lockById, read, remove } from "../../../domain/work/fields/fields.ts";
import {
  CustomFieldDefCreateInput,
  CustomFieldDefPatchInput,
  CustomFieldValueInput,
} from "../../../domain/work/fields/inputs.ts";
import * as values from "../../../domain/work/fields/values.ts";
import { CustomFieldDefDeleted, CustomFieldDefView, CustomFieldValueView } from "../../../domain/work/fields/view.ts";
import { operation } from "../../engine/operation.ts";
import { resource } from "../../engine/resource.ts";

export const customFieldOperations = [
  ...resource("P/custom-field-defs", {
    id: "custom-field-defs",
    view: CustomFieldDefView,
    read: "custom_fields:read",
    write: "custom_fields:write",
    entity: byId,
    current: read,
    list: {
      summary: "List a project's custom fields in order",
      about: "The ids are the keys of `custom_fields` in issues.",
      handle: ({ ctx, paging }) => listPage(ctx, paging),
    },
    create: {
      summary: "Add a custom field",
      about:
        "The field applies to issues of the types in `applies_to`, or of all types. `required` does not refuse anything: issues without a value get a warning, and forms ask for it.",
      body: CustomFieldDefCreateInput,
      example: { name: "Severity", kind: "select", options: ["Low", "High"] },
      handle: ({ ctx, body }) => create(ctx, body),
    },
    patch: {
      summary: "Change a custom field; dropping an option clears its values",
      about:
        "`kind` can change only while no issue has a value (409 `field_in_use`). Options that are left out are removed from all issues, and each issue that had one gets an event. Of more than 200 issues, all reads show it at once, and events and history follow within seconds to minutes.",
      body: CustomFieldDefPatchInput,
      example: { name: "Impact" },
      handle: ({ ctx, on, body }) => change(ctx, on, body),
    },
    remove: {
      summary: "Delete a custom field with its values",
      about:
        "`values_deleted` counts the issues that had a value. Each gets an event. Of more than 200 issues, all reads show it at once, and events and history follow within seconds to minutes.",
      returns: CustomFieldDefDeleted,
      handle: ({ ctx, on }) => remove(ctx, on),
    },
  }),
  operation({
    id: "custom-fields.list",
    route: "GET I/custom-fields",
    summary: "List an issue's values of all fields that apply to it",
    about: "Fields without a value are listed with `null`.",
    needs: "custom_fields:read",
    returns: CustomFieldValueView,
    shape: "all",
    handle: ({ ctx }) => values.list(ctx),
  }),
  operation({
    id: "custom-fields.set",
    route: "PUT I/custom-fields/{fieldId}",
    summary: "Set an issue's value of a field, or clear it with null",
    about:
      "The value's type depends on the field's kind: a text, a number, an option or a list of options, a date, a boolean, a URL, or the id of a person, project or doc. `PATCH` of the issue sets several fields at once with `custom_fields`.",
    needs: "custom_fields:write",
    on: lockById,
    current: values.read,
    body: CustomFieldValueInput,
    example: { value: "Safari" },
    returns: CustomFieldValueView,
    handle: ({ ctx, on, body }) => values.set(ctx, on, body.value),
  }),
  operation({
    id: "custom-fields.clear",
    route: "DELETE I/custom-fields/{fieldId}",
    summary: "Clear an issue's value of a field",
    about: "Clearing a field that has no value changes nothing.",
    needs: "custom_fields:write",
    on: lockById,
    current: values.read,
    returns: CustomFieldValueView,
    handle: ({ ctx, on }) => values.set(ctx, on, null),
  }),
];
