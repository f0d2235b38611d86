import { p } from "@mikro-orm/core";

/**
 * Every owned entity is read through this filter, which throws if no workspace is set. So a query without a tenant fails
 * instead of returning another tenant's rows. Raw SQL bypasses the filter, so it is only allowed in *.sql.ts files.
 */
export const ownedByWorkspace = {
  workspace: {
    name: "workspace",
    cond: (args: { workspaceId?: string }) => {
      if (!args?.workspaceId) throw new Error("An owned entity was read without a workspace.");
      return { workspace_id: args.workspaceId };
    },
    default: true,
  },
};

/** `timestamptz(3)` as RFC 3339 text. Times are never converted to a Date between column and reply. */
export const instantColumn = () => p.string().columnType("timestamptz(3)").runtimeType("string");

/** `date` as `YYYY-MM-DD`. */
export const dayColumn = () => p.string().columnType("date").runtimeType("string");

export const uuidList = () => p.array().columnType("uuid[]");
export const textList = () => p.array().columnType("text[]");

/** Columns of every owned row. */
export const owned = {
  id: p.uuid().primary(),
  workspace_id: p.uuid(),
  created_at: instantColumn(),
  updated_at: instantColumn(),
};
