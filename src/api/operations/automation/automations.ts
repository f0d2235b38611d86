import { AutomationRunView } from "../../../domain/automation/automation-runs/view.ts";
import { dryRun } from "../../../domain/automation/automations/dry-run.ts";
import { AutomationDryRunInput, AutomationDryRunView } from "../../../domain/automation/automations/dry-run-view.ts";
import { AutomationCreateInput, AutomationPatchInput } from "../../../domain/automation/automations/inputs.ts";
import {
  byId,
  change,
  create,
  listPage,
  read,
  remove,
  withRuns,
} from "../../../domain/automation/automations/rules.ts";
import { runsPage } from "../../../domain/automation/automations/runs.ts";
import { AutomationView } from "../../../domain/automation/automations/view.ts";
import { deletedView } from "../../../domain/kernel/wire.ts";
import { operation } from "../../engine/operation.ts";
import { resource } from "../../engine/resource.ts";

export const automationOperations = [
  ...resource("W/automations", {
    id: "automations",
    view: AutomationView,
    read: "automations:read",
    write: "automations:write",
    limitedKeys: "filter",
    entity: byId,
    list: {
      summary: "List automations, newest first",
      handle: ({ ctx, paging }) => listPage(ctx, paging),
    },
    get: {
      summary: "Read an automation",
      about:
        "`disabled_reason` says why the service has disabled it, and `last_skipped` when a change was ignored because another automation had made it.",
      row: read,
    },
    create: {
      summary: "Create an automation; it acts with your rights",
      about:
        "`trigger` says when it starts, `conditions` whether, and `actions` what it does, in order. It acts with the rights that you have when it runs. A change that an automation, a workflow or a woken agent made starts no other automation unless that one has `allow_chaining`. Try it with `POST …/dry-run` before you rely on it.",
      gate: "automations",
      body: AutomationCreateInput,
      example: {
        name: "Triage urgent bugs",
        trigger: "issue.created",
        project_id: "WEB",
        conditions: {
          match: "all",
          rules: [
            { field: "type", op: "is", value: "bug" },
            { match: "any", rules: [{ field: "title", op: "contains", value: "crash" }] },
          ],
        },
        actions: [
          { type: "set_priority", priority: "critical" },
          { type: "add_comment", comment: "{{actor.name}} reported a crash." },
        ],
        on_error: "continue",
      },
      handle: ({ ctx, body, project }) => create(ctx, body, project),
    },
    patch: {
      summary: "Change an automation, or enable or disable it",
      about:
        "`conditions` and `actions` are replaced as a whole. `enabled: true` clears the count of failures; if its creator is no longer an admin, you become its creator. Runs that have begun keep the earlier actions.",
      body: AutomationPatchInput,
      example: { name: "Triage crashes" },
      // An automation stays changeable when its project is archived. It does not run then.
      onArchived: true,
      handle: ({ ctx, on, body, project }) => change(ctx, on, body, project),
    },
    remove: {
      summary: "Delete an automation; runs that have begun go on",
      about: "Its runs can be read for 30 more days.",
      returns: deletedView("automation"),
      onArchived: true,
      handle: ({ ctx, on }) => remove(ctx, on),
    },
  }),
  operation({
    id: "automations.runs",
    route: "GET W/automations/{id}/runs",
    summary: "List an automation's runs that have ended, newest first; for 30 days after its deletion, too",
    about:
      "A change that matches no condition leaves no run. `actions_applied` says for each action and issue what it did, or why it failed.",
    needs: "automations:read",
    limitedKeys: "filter",
    within: withRuns,
    returns: AutomationRunView,
    shape: "list",
    handle: ({ ctx, parent, paging }) => runsPage(ctx, parent, paging),
  }),
  operation({
    id: "automations.dry-run",
    route: "POST W/automations/{id}/dry-run",
    summary: "Say what an automation would do to an issue; nothing changes, and it may be disabled",
    about:
      "Names the first condition that does not hold, and tries each action alone in a transaction that is rolled back, with the present rights of the automation's creator. At most 60 a minute for each key.",
    needs: "automations:write",
    limitedKeys: "filter",
    on: read,
    onArchived: true,
    body: AutomationDryRunInput,
    example: { issue_key: "WEB-1" },
    returns: AutomationDryRunView,
    mode: "statement",
    perMinute: 60,
    prepare: ({ ctx, body, params }) => dryRun(ctx, params.id ?? "", body.issue_key ?? null),
    handle: async ({ prepared }) => prepared,
  }),
];
