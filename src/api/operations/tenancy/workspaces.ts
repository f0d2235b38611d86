import { wholeList } from "../../../domain/kernel/paging.ts";
import { describeUsage, UsageView } from "../../../domain/tenancy/workspaces/usage.ts";
import { WorkspaceView } from "../../../domain/tenancy/workspaces/view.ts";
import { change, describe, WorkspacePatchInput } from "../../../domain/tenancy/workspaces/workspaces.ts";
import { operation } from "../../engine/operation.ts";

export const workspaceOperations = [
  operation({
    id: "workspaces.list",
    route: "GET /v1/workspaces",
    summary: "List the workspaces that the key can access: only its own",
    about:
      "A credential belongs to exactly one workspace, so the list has one entry. Use its `slug` in all other paths.",
    needs: "workspaces:read",
    limitedKeys: "filter",
    returns: WorkspaceView,
    shape: "list",
    handle: async ({ ctx }) => wholeList([await describe(ctx)]),
  }),
  operation({
    id: "workspaces.get",
    route: "GET W",
    summary: "Read the workspace",
    needs: "workspaces:read",
    limitedKeys: "filter",
    returns: WorkspaceView,
    handle: ({ ctx }) => describe(ctx),
  }),
  operation({
    id: "workspaces.patch",
    route: "PATCH W",
    summary: "Change the workspace's name, locale or time zone",
    about: "The slug cannot be changed. The time zone is used for schedules of automations that name none.",
    needs: "workspaces:write",
    limitedKeys: "refuse",
    body: WorkspacePatchInput,
    example: { name: "Acme Ltd" },
    returns: WorkspaceView,
    handle: ({ ctx, body }) => change(ctx, body),
  }),
  operation({
    id: "workspaces.usage",
    route: "GET W/usage",
    summary: "Read the workspace's usage of its plan: storage, AI credits, seats and limits",
    about:
      "Shows what the plan allows and how much of it is used. A limit that the plan does not have is `null`, or 9007199254740991 for storage. `ai_credits` has the month's grant and the credits that were bought; buy more with `POST /api/mpp/v1/credits/medium` and the calls like it.",
    needs: "workspaces:read",
    limitedKeys: "refuse",
    returns: UsageView,
    handle: ({ ctx }) => describeUsage(ctx),
  }),
];
